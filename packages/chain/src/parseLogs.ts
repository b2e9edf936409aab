import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { z } from "zod";
import type { TracedLog } from "./types.js";

const hex = (digits: RegExp) =>
  z
    .string()
    .regex(digits)
    .transform((text) => text.toLowerCase() as Hex);
const logsSchema = z.array(
  z.object({
    address: hex(/^0x[0-9a-fA-F]{40}$/),
    topics: z.array(hex(/^0x[0-9a-fA-F]{64}$/)).max(4),
    data: hex(/^0x(?:[0-9a-fA-F]{2})*$/),
  }),
);

/** A search names the account whose events it wants; more than this is no ordinary account. */
const MAX_LOGS = 2_000;

/** Undefined where the result is no list of events. */
export function parseLogs(result: unknown): Reading<readonly TracedLog[]> | undefined {
  if (Array.isArray(result) && result.length > MAX_LOGS) return unanswered("too_many_logs");
  const logs = logsSchema.safeParse(result).data;
  return logs === undefined ? undefined : valueReading(logs);
}
