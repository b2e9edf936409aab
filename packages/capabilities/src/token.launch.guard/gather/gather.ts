import type { Gatherer } from "../../gathering.js";
import { gatherLaunch } from "../../shared/launch/gather/gatherLaunch.js";
import { lookAhead } from "../../shared/launch/gather/lookAhead.js";
import type { LaunchReadings } from "../../shared/launch/launchReadings.js";
import type { TokenLaunchInput } from "../input.js";

export const gatherer: Gatherer<TokenLaunchInput, LaunchReadings> = {
  gather: (context, { address }) => gatherLaunch(context, address),
  async lookAhead({ chain, block, launchVenues }, { address: ahead }) {
    const seen = await lookAhead(chain, block, launchVenues, ahead);
    return (context, { address }) => gatherLaunch(context, address, seen);
  },
};
