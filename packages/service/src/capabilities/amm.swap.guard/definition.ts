import { getCapabilitySpec } from "@assay/protocol";
import { decodeSwap, evaluateSwapGuard, listSwapGuardFacts, type SwapGuardReadings } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherSwapGuard } from "./gather.js";

export const swapGuard: Capability<"amm.swap.guard", SwapGuardReadings> = {
  spec: { ...getCapabilitySpec("amm.swap.guard"), id: "amm.swap.guard" },
  checkInput(input, { swapRouters }) {
    const decoded = decodeSwap(input, swapRouters);
    return "unsupported" in decoded ? [decoded.unsupported] : [];
  },
  gather: gatherSwapGuard,
  evaluate: evaluateSwapGuard,
  listFacts: listSwapGuardFacts,
  watchedBy: null,
  longLivedPart: null,
};
