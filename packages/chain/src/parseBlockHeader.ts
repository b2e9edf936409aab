import type { Hex } from "@assay/protocol";
import { z } from "zod";
import type { BlockHeader } from "./types.js";

/** A JSON-RPC quantity. Nodes differ on leading zeros, so only the digits are checked. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((value) => BigInt(value));

/** A quantity that counts something: blocks, seconds. */
export const countSchema = quantitySchema.pipe(
  z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number),
);

const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((value) => value.toLowerCase() as Hex);

const headerSchema = z.object({
  number: countSchema,
  hash,
  parentHash: hash,
  stateRoot: hash,
  timestamp: countSchema,
  baseFeePerGas: quantitySchema.nullish().transform((value) => value ?? null),
  gasLimit: quantitySchema,
  gasUsed: quantitySchema,
});

/** Undefined when the answer is not a complete header: null for an unknown block, a pending block, or garbage. */
export function parseBlockHeader(answer: unknown): BlockHeader | undefined {
  return headerSchema.safeParse(answer).data;
}
