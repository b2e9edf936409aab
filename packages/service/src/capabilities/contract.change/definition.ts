import { getCapabilitySpec } from "@assay/protocol";
import { type ContractChangeReadings, evaluateContractChange, listContractChangeFacts } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherContractChange } from "./gather.js";

export const contractChange: Capability<"contract.change", ContractChangeReadings> = {
  spec: { ...getCapabilitySpec("contract.change"), id: "contract.change" },
  gather: gatherContractChange,
  evaluate: evaluateContractChange,
  listFacts: listContractChangeFacts,
  watchedBy: null,
  longLivedPart: "fingerprint",
};
