import { getCapabilitySpec } from "@assay/protocol";
import {
  type ContractInterfaceReadings,
  evaluateContractInterface,
  listContractInterfaceFacts,
} from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherContractInterface } from "./gather.js";

export const contractInterface: Capability<"contract.interface", ContractInterfaceReadings> = {
  spec: { ...getCapabilitySpec("contract.interface"), id: "contract.interface" },
  gather: gatherContractInterface,
  evaluate: evaluateContractInterface,
  listFacts: listContractInterfaceFacts,
  watchedBy: "contract.change",
  longLivedPart: "interfaceScan",
};
