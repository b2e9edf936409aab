import { judgeLaunch } from "../shared/launch/judgeLaunch.js";
import type { LaunchReadings } from "../shared/launch/launchReadings.js";
import type { TokenLaunchInput } from "./input.js";

export const evaluateTokenLaunch = ({ address }: TokenLaunchInput, readings: LaunchReadings) =>
  judgeLaunch(address, readings);
