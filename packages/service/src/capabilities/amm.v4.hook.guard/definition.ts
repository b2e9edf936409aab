import { getCapabilitySpec } from "@assay/protocol";
import { checkPoolKey, evaluateHookGuard, type HookGuardReadings, listHookGuardFacts } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherHookGuard } from "./gather.js";

export const hookGuard: Capability<"amm.v4.hook.guard", HookGuardReadings> = {
  spec: { ...getCapabilitySpec("amm.v4.hook.guard"), id: "amm.v4.hook.guard" },
  checkInput: checkPoolKey,
  gather: gatherHookGuard,
  evaluate: evaluateHookGuard,
  listFacts: listHookGuardFacts,
  watchedBy: null,
  longLivedPart: null,
};
