import type { z } from "zod";
import { addressInput } from "../shared/inputs/fields.js";

export const input = addressInput;

export type ContractGuardInput = z.output<typeof input>;
