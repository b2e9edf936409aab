import { absent, type Hex, type Reading, valueReading } from "@assay/protocol";
import { getContractAddress } from "viem";
import { z } from "zod";
import { countSchema } from "./parseBlockHeader.js";
import type { ContractCreation } from "./types.js";

const hex = (shape: RegExp) =>
  z
    .string()
    .regex(shape)
    .transform((value) => value.toLowerCase() as Hex);
const transactionSchema = z.object({
  hash: hex(/^0x[0-9a-fA-F]{64}$/),
  from: hex(/^0x[0-9a-fA-F]{40}$/),
  to: z.string().nullish(),
  nonce: countSchema,
  input: hex(/^0x(?:[0-9a-fA-F]{2})*$/),
});

/** The address of what an account creates follows from the account and its nonce. */
export function parseCreation(
  result: unknown,
  contract: Hex,
  hash: Hex,
): Reading<ContractCreation> | undefined {
  if (result === null) return absent;
  const transaction = transactionSchema.safeParse(result).data;
  if (transaction === undefined || transaction.hash !== hash) return undefined;
  const { from, to, nonce, input } = transaction;
  const created = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase();
  return (to ?? null) === null && created === contract
    ? valueReading({ creator: from, code: input })
    : absent;
}
