import { transactionInput } from "../shared/inputs/fields.js";

export const input = transactionInput;
