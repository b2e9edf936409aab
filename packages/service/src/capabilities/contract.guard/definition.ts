import { getCapabilitySpec } from "@assay/protocol";
import { type ContractGuardReadings, evaluateContractGuard, listContractGuardFacts } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherContractGuard } from "./gather.js";

export const contractGuard: Capability<"contract.guard", ContractGuardReadings> = {
  spec: { ...getCapabilitySpec("contract.guard"), id: "contract.guard" },
  gather: gatherContractGuard,
  evaluate: evaluateContractGuard,
  listFacts: listContractGuardFacts,
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
};
