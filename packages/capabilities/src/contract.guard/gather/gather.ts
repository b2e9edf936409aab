import type { Gatherer } from "../../gathering.js";
import { gatherSubject } from "../../shared/control/gather/gatherSubject.js";
import type { ContractGuardInput } from "../input.js";
import type { ContractGuardReadings } from "../readings.js";

export const gatherer: Gatherer<ContractGuardInput, ContractGuardReadings> = {
  gather: (context, { address }) => gatherSubject(context, address),
};
