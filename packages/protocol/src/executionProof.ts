import type { Hex } from "viem";
import { keccak256 } from "./keccak256.js";
import { orderedTrieKey } from "./orderedTrie.js";
import { decodeRlp, EncodingError, rlpBytes, rlpList, rlpNumber } from "./rlp.js";
import { findInTrie, StateProofError } from "./stateProof.js";

/** The fields of a header that prove an execution. */
export interface DecodedHeader {
  readonly number: number;
  readonly parentHash: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** Positions in a header (Yellow Paper, 4.3). */
const PARENT = 0;
const TRANSACTIONS_ROOT = 4;
const RECEIPTS_ROOT = 5;
const NUMBER = 8;
const TIMESTAMP = 11;

/** Decodes a header's RLP. Throws `StateProofError` when it is not that block's. */
export function openHeader(header: Hex, blockHash: Hex): DecodedHeader {
  const hash = keccak256(header);
  if (hash !== blockHash.toLowerCase())
    throw new StateProofError(`the header hashes to ${hash}, not to the block ${blockHash}`);
  return asProof(() => {
    const items = rlpList(decodeRlp(header, "the header"), "the header");
    return {
      parentHash: rlpBytes(items[PARENT], "the parent's hash", 32),
      transactionsRoot: rlpBytes(items[TRANSACTIONS_ROOT], "the transactions root", 32),
      receiptsRoot: rlpBytes(items[RECEIPTS_ROOT], "the receipts root", 32),
      number: Number(rlpNumber(items[NUMBER], "the block's number")),
      timestamp: Number(rlpNumber(items[TIMESTAMP], "the block's time")),
    };
  });
}

/** The entry of that index in a list that a header commits to. Throws `StateProofError` where the nodes do not prove it. */
export function findInOrderedTrie(nodes: readonly Hex[], root: Hex, index: number, what: string): Hex {
  const byHash = new Map<Hex, Hex>(nodes.map((node) => [keccak256(node), node]));
  const entry = findInTrie(byHash, root, orderedTrieKey(index), what);
  if (entry === undefined) throw new StateProofError(`the block has no ${what} ${index}`);
  return entry;
}

/** Bytes with the right hash but of another form than expected prove nothing: turns `EncodingError` into `StateProofError`. */
export function asProof<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EncodingError) throw new StateProofError(error.message);
    throw error;
  }
}
