import { absent, type Hex, type Reading, valueReading } from "@assay/protocol";
import { z } from "zod";
import { countSchema, quantitySchema } from "./parseBlockHeader.js";
import type { BlockHeader, ChainRead, FeeHistory } from "./types.js";

/** A read in the words of JSON-RPC, before it is known how the node lets a block be named. */
export interface ReadQuery {
  /** Same block, same question, same key. */
  readonly key: string;
  readonly method: string;
  /** `eth_feeHistory` cannot be asked by hash. */
  readonly byNumberOnly: boolean;
  /** Only for calls is a node's error a possible fact about the chain. */
  readonly mayRevert: boolean;
  params(block: string | { readonly blockHash: Hex }): readonly unknown[];
  /** Undefined when the result has not the shape the method promises. */
  parse(result: unknown): Reading<Hex | FeeHistory> | undefined;
}

const BYTES = /^0x(?:[0-9a-f]{2})*$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;
const WORD = /^0x[0-9a-f]{0,64}$/;

const feeHistorySchema = z.object({
  oldestBlock: countSchema,
  baseFeePerGas: z.array(quantitySchema),
  gasUsedRatio: z.array(z.number()),
  reward: z
    .array(z.array(quantitySchema))
    .nullish()
    .transform((value) => value ?? []),
});

export function createReadQuery(block: BlockHeader, read: ChainRead): ReadQuery {
  const query = describeRead(block.number, read);
  // The parameters with the hash in place of the block are exactly what the answer depends on.
  const key = `${query.method}${JSON.stringify(query.params({ blockHash: block.hash }))}`;
  return { ...query, key };
}

/** `blockNumber` is what a fee history must end at; other reads do not depend on it. */
export function describeRead(blockNumber: number, read: ChainRead): Omit<ReadQuery, "key"> {
  const plain = { byNumberOnly: false, mayRevert: false };
  switch (read.kind) {
    case "code": {
      const address = lower(read.address);
      return { ...plain, method: "eth_getCode", params: (at) => [address, at], parse: parseBytes };
    }
    case "balance": {
      const address = lower(read.address);
      return { ...plain, method: "eth_getBalance", params: (at) => [address, at], parse: parseBalance };
    }
    case "storage": {
      const args = [lower(read.address), padWord(lower(read.slot))];
      return { ...plain, method: "eth_getStorageAt", params: (at) => [...args, at], parse: parseWord };
    }
    case "call": {
      const call = {
        ...(read.from === undefined ? {} : { from: lower(read.from) }),
        ...(read.to === null ? {} : { to: lower(read.to) }),
        data: lower(read.data),
      };
      return {
        ...plain,
        mayRevert: true,
        method: "eth_call",
        params: (at) => [call, at],
        parse: parseBytes,
      };
    }
    case "feeHistory": {
      const count = `0x${read.blockCount.toString(16)}`;
      return {
        byNumberOnly: true,
        mayRevert: false,
        method: "eth_feeHistory",
        params: (at) => [count, at, read.percentiles],
        parse: (result) => parseFeeHistory(result, blockNumber),
      };
    }
  }
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex;
const padWord = (hex: string) => `0x${hex.slice(2).padStart(64, "0")}` as Hex;

function matchHex(result: unknown, shape: RegExp): Hex | undefined {
  if (typeof result !== "string") return undefined;
  const hex = result.toLowerCase();
  return shape.test(hex) ? (hex as Hex) : undefined;
}

function parseBytes(result: unknown): Reading<Hex> | undefined {
  const bytes = matchHex(result, BYTES);
  if (bytes === undefined) return undefined;
  return bytes === "0x" ? absent : valueReading(bytes);
}

function parseBalance(result: unknown): Reading<Hex> | undefined {
  const balance = matchHex(result, QUANTITY);
  return balance === undefined ? undefined : valueReading(balance);
}

function parseWord(result: unknown): Reading<Hex> | undefined {
  const word = matchHex(result, WORD);
  return word === undefined ? undefined : valueReading(padWord(word));
}

function parseFeeHistory(result: unknown, blockNumber: number): Reading<FeeHistory> | undefined {
  const history = feeHistorySchema.safeParse(result).data;
  if (history === undefined) return undefined;
  const { oldestBlock, gasUsedRatio, baseFeePerGas } = history;
  // A node that clamps the range to its own head would otherwise answer for another block.
  const endsAtBlock = oldestBlock + gasUsedRatio.length - 1 === blockNumber;
  return endsAtBlock && baseFeePerGas.length === gasUsedRatio.length + 1 ? valueReading(history) : undefined;
}
