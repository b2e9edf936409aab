import type { z } from "zod";
import { addressInput } from "../shared/inputs/fields.js";

export const input = addressInput;

export type TokenLaunchInput = z.output<typeof input>;
