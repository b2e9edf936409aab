import { getCapabilitySpec } from "@assay/protocol";
import { evaluateTokenLaunch, listTokenLaunchFacts, type TokenLaunchReadings } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherTokenLaunch } from "./gather.js";

export const tokenLaunchGuard: Capability<"token.launch.guard", TokenLaunchReadings> = {
  spec: { ...getCapabilitySpec("token.launch.guard"), id: "token.launch.guard" },
  gather: gatherTokenLaunch,
  evaluate: evaluateTokenLaunch,
  listFacts: listTokenLaunchFacts,
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
};
