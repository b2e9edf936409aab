import { absent, type Hex, type Reading, valueReading } from "@assay/protocol";
import { z } from "zod";
import { countSchema } from "./parseBlockHeader.js";
import type { ChainLog } from "./types.js";

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
    blockNumber: countSchema,
    transactionHash: hex(/^0x[0-9a-fA-F]{64}$/),
  }),
);

/** More say nothing that a guard can use, and would fill its memory. */
const MAX_LOGS = 5_000;

/** Undefined where the result is no list of events. */
export function parseLogs(result: unknown): Reading<readonly ChainLog[]> | undefined {
  if (Array.isArray(result) && result.length > MAX_LOGS) return absent;
  const logs = logsSchema.safeParse(result).data;
  return logs === undefined ? undefined : valueReading(logs);
}
