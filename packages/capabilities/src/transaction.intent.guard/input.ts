import type { z } from "zod";
import { transactionInput } from "../shared/inputs/fields.js";

export const input = transactionInput;

export type TransactionIntentInput = z.output<typeof input>;
