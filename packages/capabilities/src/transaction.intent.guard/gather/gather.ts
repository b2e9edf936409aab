import type { Gatherer } from "../../gathering.js";
import { gatherTransaction } from "../../shared/intents/gather/gatherTransaction.js";
import type { TransactionIntentInput } from "../../shared/intents/transactionInput.js";
import type { TransactionIntentReadings } from "../../shared/intents/transactionReadings.js";

export const gatherer: Gatherer<TransactionIntentInput, TransactionIntentReadings> = {
  // Nothing is kept, not even as an observation: what a caller is about to sign is private.
  gather: async (context, input) => ({ readings: await gatherTransaction(context, input) }),
};
