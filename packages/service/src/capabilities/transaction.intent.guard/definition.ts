import { getCapabilitySpec } from "@assay/protocol";
import {
  evaluateTransactionIntent,
  listTransactionIntentFacts,
  type TransactionIntentReadings,
} from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherTransactionIntent } from "./gather.js";

export const transactionIntentGuard: Capability<"transaction.intent.guard", TransactionIntentReadings> = {
  spec: { ...getCapabilitySpec("transaction.intent.guard"), id: "transaction.intent.guard" },
  gather: gatherTransactionIntent,
  evaluate: evaluateTransactionIntent,
  listFacts: listTransactionIntentFacts,
  watchedBy: "contract.change",
  longLivedPart: null,
};
