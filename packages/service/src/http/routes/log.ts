import type { LogConsistency, LogProof } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { getLogConsistency, getLogProof } from "../../log/logProofs.js";
import { getSignedHead, type LogContext } from "../../log/signedHeads.js";
import { parseFields, readQuery } from "../readInput.js";

const count = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,14})$/, "must be a whole number of at most 15 digits")
  .transform(Number)
  .pipe(z.int().min(0));

export const logProofRequestSchema = z.object({ index: count, size: count.optional() });
export const logConsistencyQuerySchema = z.object({ first: count, second: count });

/** GET /api/v1/log/checkpoint: the signed note of the head that covers everything appended so far. */
export async function checkpoint(context: LogContext, c: Context): Promise<Response> {
  const { note } = await getSignedHead(context);
  return c.body(note, 200, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
}

/** GET /api/v1/log/proof/{index}?size=: that a leaf is in the tree of so many leaves. */
export function logProof(context: LogContext, c: Context): Promise<LogProof> {
  const fields = { ...readQuery(c), index: c.req.param("index") };
  const { index, size } = parseFields(logProofRequestSchema, fields);
  return getLogProof(context, index, size);
}

/** GET /api/v1/log/consistency?first=&second=: that a larger tree begins with a smaller one. */
export function logConsistency(context: LogContext, c: Context): Promise<LogConsistency> {
  const { first, second } = parseFields(logConsistencyQuerySchema, readQuery(c));
  return getLogConsistency(context, first, second);
}
