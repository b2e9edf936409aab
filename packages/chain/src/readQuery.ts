import { absent, encodeHeader, type Hex, type Reading, valueReading } from "@assay/protocol";
import { z } from "zod";
import { countSchema, quantitySchema } from "./parseBlockHeader.js";
import { parseCallTrace } from "./parseCallTrace.js";
import { parseCreation } from "./parseCreation.js";
import { parseLogs } from "./parseLogs.js";
import { parseStorageChanges } from "./parseStorageChanges.js";
import type {
  AnyValue,
  BlockHeader,
  ChainRead,
  FeeHistory,
  StateOverrides,
  TransactionRead,
} from "./types.js";

/** A read as a JSON-RPC request, before it is known whether the node accepts a block hash. */
export interface ReadQuery {
  /** The same for the same question at the same block. */
  readonly key: string;
  readonly method: string;
  /** `eth_feeHistory` does not accept a block hash. */
  readonly byNumberOnly: boolean;
  /** Whether a node's error may be a fact about the chain, which only calls have. */
  readonly mayRevert: boolean;
  /** Whether null is an answer. Otherwise a node that answers it does not have the block. */
  readonly mayBeNull?: true;
  /** As in `RpcRequest`. */
  readonly apart?: true;
  params(block: string | { readonly blockHash: Hex }): readonly unknown[];
  /** Undefined when the result does not have the shape that the method promises. */
  parse(result: unknown): Reading<AnyValue> | undefined;
}

/** Without a bound, one contract with an endless loop would delay the node, and every caller's batch, for seconds. */
const DEFAULT_CALL_GAS = 3_000_000;
/** The most that a transaction on Base may use (EIP-7825); without it a node estimates up to a greater bound of its own. */
const TRANSACTION_GAS = 16_777_216;

const BYTES = /^0x(?:[0-9a-f]{2})*$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;
const WORD = /^0x[0-9a-f]{0,64}$/;

const nodesSchema = z.array(z.string().regex(/^0x(?:[0-9a-fA-F]{2})+$/));
const proofSchema = z.object({
  accountProof: nodesSchema,
  storageProof: z.array(z.object({ proof: nodesSchema })),
});

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
  const query = describeRead(block, read);
  // What the answer depends on: the parameters, and the block, which a search for events names only by its number.
  const key = `${block.hash}${query.method}${JSON.stringify(query.params({ blockHash: block.hash }))}`;
  return { ...query, key };
}

/** `block` is undefined for reads at the newest block; only the header and the fee history need it. */
export function describeRead(
  block: Pick<BlockHeader, "number" | "hash"> | undefined,
  read: ChainRead,
): Omit<ReadQuery, "key"> {
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
    case "nonce": {
      const address = lower(read.address);
      return {
        ...plain,
        method: "eth_getTransactionCount",
        params: (at) => [address, at],
        parse: parseBalance,
      };
    }
    case "storage": {
      const args = [lower(read.address), padWord(lower(read.slot))];
      return { ...plain, method: "eth_getStorageAt", params: (at) => [...args, at], parse: parseWord };
    }
    case "call": {
      const call = {
        ...(read.from === undefined ? {} : { from: lower(read.from) }),
        ...(read.to === null ? {} : { to: lower(read.to) }),
        ...(read.value === undefined ? {} : { value: quantity(read.value) }),
        data: lower(read.data),
        gas: `0x${(read.gas ?? DEFAULT_CALL_GAS).toString(16)}`,
        ...(read.gasPrice === undefined ? {} : { gasPrice: quantity(read.gasPrice) }),
      };
      return {
        ...plain,
        mayRevert: true,
        method: "eth_call",
        params: (at) => [
          call,
          at,
          ...(read.overrides === undefined ? [] : [encodeOverrides(read.overrides)]),
        ],
        parse: parseBytes,
      };
    }
    case "gasEstimate": {
      const call = encodeTransaction(read);
      return {
        ...plain,
        mayRevert: true,
        method: "eth_estimateGas",
        params: (at) => [call, at],
        parse: parseBalance,
      };
    }
    case "trace": {
      const call = encodeTransaction(read);
      const overrides =
        read.overrides === undefined ? {} : { stateOverrides: encodeOverrides(read.overrides) };
      return {
        ...plain,
        method: "debug_traceCall",
        params: (at) => [
          call,
          at,
          { tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "3s", ...overrides },
        ],
        parse: parseCallTrace,
      };
    }
    case "storageChanges": {
      const call = encodeTransaction(read);
      const overrides =
        read.overrides === undefined ? {} : { stateOverrides: encodeOverrides(read.overrides) };
      const tracerConfig = { diffMode: true, disableCode: true };
      return {
        ...plain,
        method: "debug_traceCall",
        params: (at) => [call, at, { tracer: "prestateTracer", tracerConfig, timeout: "3s", ...overrides }],
        parse: parseStorageChanges,
      };
    }
    case "logs": {
      const fromBlock = `0x${Math.max(0, read.fromBlock).toString(16)}`;
      // A search over blocks names them by number; the pinned one is its end.
      const toBlock = `0x${(block?.number ?? 0).toString(16)}`;
      return {
        ...plain,
        method: "eth_getLogs",
        params: () => [
          {
            fromBlock,
            toBlock,
            ...(read.addresses && { address: read.addresses.map(lower) }),
            ...(read.topics && { topics: read.topics }),
          },
        ],
        parse: parseLogs,
      };
    }
    case "creation": {
      const [contract, hash] = [lower(read.contract), lower(read.transactionHash)];
      return {
        ...plain,
        mayBeNull: true,
        method: "eth_getTransactionByHash",
        params: () => [hash],
        parse: (result) => parseCreation(result, contract, hash),
      };
    }
    case "feeHistory": {
      const count = `0x${read.blockCount.toString(16)}`;
      return {
        byNumberOnly: true,
        mayRevert: false,
        method: "eth_feeHistory",
        params: (at) => [count, at, read.percentiles],
        parse: (result) => parseFeeHistory(result, block?.number),
      };
    }
    case "header": {
      const hash = block?.hash ?? "0x";
      return {
        ...plain,
        method: "eth_getBlockByHash",
        params: () => [hash, false],
        parse: (result) => parseHeader(result, hash),
      };
    }
    case "proof": {
      const args = [lower(read.address), read.slots.map((slot) => padWord(lower(slot)))];
      return { ...plain, method: "eth_getProof", params: (at) => [...args, at], parse: parseProof };
    }
  }
}

function encodeTransaction({ from, to, data, value, gasPrice }: TransactionRead): object {
  return {
    from: lower(from),
    ...(to === null ? {} : { to: lower(to) }),
    data: lower(data),
    value: quantity(value),
    gas: `0x${TRANSACTION_GAS.toString(16)}`,
    ...(gasPrice === undefined ? {} : { gasPrice: quantity(gasPrice) }),
  };
}

const quantity = (value: bigint) => `0x${value.toString(16)}` as Hex;

function encodeOverrides(overrides: StateOverrides): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(overrides).map(([address, { code, balance, stateDiff }]) => [
      address.toLowerCase(),
      {
        ...(code === undefined ? {} : { code }),
        ...(balance === undefined ? {} : { balance: quantity(balance) }),
        ...(stateDiff === undefined ? {} : { stateDiff }),
      },
    ]),
  );
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
  // Some nodes write leading zeros, and equal quantities must compare as equal.
  return balance === undefined ? undefined : valueReading(quantity(BigInt(balance)));
}

function parseWord(result: unknown): Reading<Hex> | undefined {
  const word = matchHex(result, WORD);
  return word === undefined ? undefined : valueReading(padWord(word));
}

function parseFeeHistory(result: unknown, blockNumber: number | undefined): Reading<FeeHistory> | undefined {
  const history = feeHistorySchema.safeParse(result).data;
  if (history === undefined) return undefined;
  const { oldestBlock, gasUsedRatio, baseFeePerGas } = history;
  // A node that clamps the range to its own head would answer for another block.
  const endsAtBlock = oldestBlock + gasUsedRatio.length - 1 === blockNumber;
  return endsAtBlock && baseFeePerGas.length === gasUsedRatio.length + 1 ? valueReading(history) : undefined;
}

/** A header that does not hash to the block hash has an unknown form. */
function parseHeader(result: unknown, hash: Hex): Reading<Hex> {
  const header = encodeHeader(result, hash);
  return header === undefined ? absent : valueReading(header);
}

/** Every trie node once. Which slot it belongs to does not matter, because trie nodes are found by their hash. */
function parseProof(result: unknown): Reading<readonly Hex[]> | undefined {
  const proof = proofSchema.safeParse(result).data;
  if (proof === undefined) return undefined;
  const nodes = [proof.accountProof, ...proof.storageProof.map((slot) => slot.proof)].flat();
  return valueReading([...new Set(nodes.map((node) => node.toLowerCase() as Hex))]);
}
