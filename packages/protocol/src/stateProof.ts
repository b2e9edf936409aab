import { fromRlp, type Hex, pad } from "viem";
import { z } from "zod";
import { keccak256 } from "./keccak256.js";
import { bytesSchema } from "./primitives.js";
import type { Rlp } from "./rlp.js";

/**
 * Proofs of everything that was read from the state of one block. `header` is the RLP of the block's header; `nodes` are
 * trie nodes (RLP), each once, in which every account and slot can be found from the header's state root by hashes. Nothing
 * in it has to be trusted: a node that does not have the hash in its parent is never found.
 */
export const stateProofsSchema = z.strictObject({ header: bytesSchema, nodes: z.array(bytesSchema) });
export type StateProofs = z.infer<typeof stateProofsSchema>;

/** Why a proof does not prove what it should. */
export class StateProofError extends Error {
  override readonly name = "StateProofError";
}

/** The proven part of the state of one block. Any other part throws `StateProofError`. */
export interface ProvenState {
  /** keccak256 of the account's code; null for an account without code and for one that does not exist. */
  getCodeHash(address: Hex): Hex | null;
  /** The 32-byte word in a slot; zero where nothing is stored. */
  getSlot(address: Hex, slot: Hex): Hex;
}

/** Position of the state root in a header (Yellow Paper, 4.3). */
const STATE_ROOT = 3;
/** keccak256 of the RLP of the empty string: the root of a trie without entries. */
export const EMPTY_TRIE: Hex = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/** keccak256 of no bytes. */
export const EMPTY_CODE_HASH: Hex = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const ZERO_WORD: Hex = `0x${"0".repeat(64)}`;

/** Opens proofs for one block. Throws `StateProofError` when the header is not that block's. */
export function openStateProofs({ header, nodes }: StateProofs, blockHash: Hex): ProvenState {
  if (hashOf(header) !== blockHash.toLowerCase())
    throw new StateProofError(`the header hashes to ${hashOf(header)}, not to the block ${blockHash}`);
  const stateRoot = asList(decode(header, "the header"), "the header")[STATE_ROOT];
  if (typeof stateRoot !== "string" || stateRoot.length !== 66)
    throw new StateProofError("the header names no state root");
  const byHash = new Map<Hex, Hex>(nodes.map((node) => [hashOf(node), node]));
  const accounts = new Map<string, Account>();
  const words = new Map<string, Hex>();

  function getAccount(address: Hex): Account {
    const key = address.toLowerCase();
    const known = accounts.get(key);
    if (known) return known;
    const account = readAccount(
      findInTrie(byHash, stateRoot as Hex, keccak256(key as Hex), `account ${key}`),
      key,
    );
    accounts.set(key, account);
    return account;
  }

  function readSlot(address: Hex, slot: Hex): Hex {
    const { storageRoot } = getAccount(address);
    const what = `slot ${slot} of ${address.toLowerCase()}`;
    const leaf = findInTrie(byHash, storageRoot, hashOf(pad(slot, { size: 32 })), what);
    if (leaf === undefined) return ZERO_WORD;
    const word = decode(leaf, what);
    if (typeof word !== "string") throw new StateProofError(`${what} holds no word`);
    return pad(word, { size: 32 });
  }

  return {
    getCodeHash: (address) => getAccount(address).codeHash,
    getSlot(address, slot) {
      const key = `${address.toLowerCase()} ${slot}`;
      const word = words.get(key) ?? readSlot(address, slot);
      words.set(key, word);
      return word;
    },
  };
}

/** Hash and decoded form of some bytes. Proofs of one block share the nodes near the root, so recent ones are kept. */
interface Opened {
  readonly hash: Hex;
  decoded?: Rlp;
}
const recent = new Map<Hex, Opened>();
const MAX_RECENT = 1_000;
/** A branch has 532 bytes. Longer nodes hold logs or calldata, and a thousand of those would fill the memory. */
const MAX_RECENT_CHARACTERS = 2_000;

function recall(bytes: Hex): Opened {
  const known = recent.get(bytes);
  if (known) return known;
  const opened: Opened = { hash: keccak256(bytes) };
  if (bytes.length > MAX_RECENT_CHARACTERS) return opened;
  recent.set(bytes, opened);
  if (recent.size > MAX_RECENT) recent.delete(recent.keys().next().value as Hex);
  return opened;
}

const hashOf = (bytes: Hex): Hex => recall(bytes).hash;

interface Account {
  readonly storageRoot: Hex;
  readonly codeHash: Hex | null;
}

/** An account is the RLP of nonce, balance, storage root and code hash. */
function readAccount(leaf: Hex | undefined, address: string): Account {
  if (leaf === undefined) return { storageRoot: EMPTY_TRIE, codeHash: null };
  const [, , storageRoot, codeHash] = asList(decode(leaf, `account ${address}`), `account ${address}`);
  if (typeof storageRoot !== "string" || typeof codeHash !== "string")
    throw new StateProofError(`account ${address} is malformed`);
  return { storageRoot, codeHash: codeHash === EMPTY_CODE_HASH ? null : codeHash };
}

/**
 * Follows a key through a Merkle-Patricia trie (Yellow Paper, appendix D) from its root; in a trie with hashed keys, the key is
 * the hash. Undefined when the trie proves that the key is absent. Throws `StateProofError` when a node is missing.
 */
export function findInTrie(
  byHash: ReadonlyMap<Hex, Hex>,
  root: Hex,
  key: Hex,
  what: string,
): Hex | undefined {
  if (root === EMPTY_TRIE) return undefined;
  const nibbles = key.slice(2);
  let at = 0;
  let node = load(byHash, root, what);
  for (;;) {
    if (node.length === 17) {
      if (at === nibbles.length) return asValue(node[16], what);
      const next = node[Number.parseInt(nibbles.charAt(at), 16)];
      at += 1;
      if (next === undefined || next === "0x") return undefined;
      node = follow(byHash, next, what);
      continue;
    }
    if (node.length !== 2) throw new StateProofError(`a node towards ${what} has ${node.length} items`);
    const { path, isLeaf } = readPath(node[0], what);
    if (!nibbles.startsWith(path, at)) return undefined;
    at += path.length;
    if (isLeaf) return at === nibbles.length ? asValue(node[1], what) : undefined;
    node = follow(byHash, node[1] as Rlp, what);
  }
}

function load(byHash: ReadonlyMap<Hex, Hex>, hash: Hex, what: string): readonly Rlp[] {
  const node = byHash.get(hash);
  if (node === undefined) throw new StateProofError(`no proof for ${what}: node ${hash} is missing`);
  return asList(decode(node, what), what);
}

/** A child of 32 bytes or more is referred to by its hash; a shorter one is embedded in its parent. */
function follow(byHash: ReadonlyMap<Hex, Hex>, child: Rlp, what: string): readonly Rlp[] {
  return typeof child === "string" ? load(byHash, child, what) : child;
}

/** Hex-prefix encoding (Yellow Paper, appendix C): the first nibble marks a leaf and an odd length. */
function readPath(item: Rlp | undefined, what: string): { path: string; isLeaf: boolean } {
  if (typeof item !== "string" || item.length < 4)
    throw new StateProofError(`a path towards ${what} is malformed`);
  const flag = Number.parseInt(item.charAt(2), 16);
  if (flag > 3) throw new StateProofError(`a path towards ${what} is malformed`);
  return { path: item.slice(flag % 2 === 1 ? 3 : 4), isLeaf: flag >= 2 };
}

function asValue(item: Rlp | undefined, what: string): Hex | undefined {
  if (item === undefined || item === "0x") return undefined;
  if (typeof item !== "string") throw new StateProofError(`${what} is malformed`);
  return item;
}

function asList(item: Rlp, what: string): readonly Rlp[] {
  if (typeof item === "string") throw new StateProofError(`${what} is malformed`);
  return item;
}

function decode(rlp: Hex, what: string): Rlp {
  const opened = recall(rlp);
  try {
    opened.decoded ??= fromRlp(rlp, "hex") as Rlp;
    return opened.decoded;
  } catch {
    throw new StateProofError(`${what} is not RLP`);
  }
}
