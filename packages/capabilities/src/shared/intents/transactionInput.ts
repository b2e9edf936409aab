import type { z } from "zod";
import type { transactionInput } from "../inputs/fields.js";

/** A transaction as it would be signed, without fees and nonce. */
export type TransactionIntentInput = z.output<typeof transactionInput>;
