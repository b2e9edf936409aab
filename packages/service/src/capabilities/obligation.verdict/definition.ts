import { getCapabilitySpec } from "@assay/protocol";
import { evaluateObligationVerdict, type ObligationVerdictReadings } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherObligationVerdict } from "./gather.js";

export const obligationVerdict: Capability<"obligation.verdict", ObligationVerdictReadings> = {
  spec: { ...getCapabilitySpec("obligation.verdict"), id: "obligation.verdict" },
  gather: gatherObligationVerdict,
  evaluate: evaluateObligationVerdict,
  // What decides is the state at other blocks than the answer's own.
  listFacts: () => [],
  watchedBy: null,
  longLivedPart: null,
};
