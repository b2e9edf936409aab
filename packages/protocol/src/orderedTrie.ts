import { bytesToHex, type Hex, hexToBytes, keccak256, toRlp } from "viem";
import { shortestBytes } from "./rlp.js";
import { EMPTY_TRIE } from "./stateProof.js";

/** The Merkle-Patricia trie of a list, as blocks commit to their transactions and receipts. */
export interface OrderedTrie {
  readonly root: Hex;
  /** The nodes from the root to the entry of that index, for `findInTrie`; none where there is no such entry. */
  listNodes(index: number): Hex[];
}

/** The key of an entry: the RLP of its index (Yellow Paper, 4.3.2). */
export function orderedTrieKey(index: number): Hex {
  return toRlp(shortestBytes(`0x${index.toString(16)}`));
}

interface Entry {
  readonly nibbles: string;
  readonly value: Uint8Array;
}

/** Bytes instead of hex: blocks have megabytes, and hex would be converted for each hash. */
type Item = Uint8Array | readonly Item[];

/** No key of such a list is a prefix of another, so no branch has a value. */
type TrieNode = {
  readonly bytes: Uint8Array;
  /** Its reference in the parent: the hash of a node of 32 bytes or more, otherwise the node itself. */
  readonly name: Item;
} & (
  | { readonly kind: "leaf" }
  | { readonly kind: "extension"; readonly path: string; readonly child: TrieNode }
  | { readonly kind: "branch"; readonly children: ReadonlyMap<string, TrieNode> }
);

/** Builds the trie of a list whose entries are not empty. */
export function buildOrderedTrie(values: readonly Uint8Array[]): OrderedTrie {
  const steps = buildTrieInSteps(values);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in steps, each of which yields the number of bytes it hashed, because a list of megabytes takes long. */
export function* buildTrieInSteps(values: readonly Uint8Array[]): Generator<number, OrderedTrie> {
  const entries = values.map((value, index) => ({ nibbles: nibblesOf(index), value }));
  const top = entries.length === 0 ? undefined : yield* buildNode(entries, 0);
  return {
    root: top === undefined ? EMPTY_TRIE : keccak256(top.bytes),
    listNodes(index) {
      const nodes: Hex[] = [];
      const nibbles = nibblesOf(index);
      let node = index < values.length ? top : undefined;
      for (let at = 0; node !== undefined; ) {
        // A short node is embedded in its parent; only the root is referred to by its hash at any length.
        if (node === top || isNamed(node)) nodes.push(bytesToHex(node.bytes));
        if (node.kind === "leaf") break;
        if (node.kind === "extension") {
          at += node.path.length;
          node = node.child;
        } else {
          node = node.children.get(nibbles.charAt(at));
          at += 1;
        }
      }
      return nodes;
    },
  };
}

const nibblesOf = (index: number) => orderedTrieKey(index).slice(2);

/** The node of entries whose keys are equal up to the nibble `at`. */
function* buildNode(entries: readonly Entry[], at: number): Generator<number, TrieNode> {
  const [first, ...others] = entries as [Entry, ...Entry[]];
  if (others.length === 0)
    return { kind: "leaf", ...(yield* encode([encodePath(first.nibbles.slice(at), true), first.value])) };
  const shared = sharedLength(entries, at);
  if (shared > 0) {
    const path = first.nibbles.slice(at, at + shared);
    const child = yield* buildNode(entries, at + shared);
    return { kind: "extension", path, child, ...(yield* encode([encodePath(path, false), child.name])) };
  }
  const children = new Map<string, TrieNode>();
  for (const nibble of NIBBLES) {
    const below = entries.filter(({ nibbles }) => nibbles.charAt(at) === nibble);
    if (below.length > 0) children.set(nibble, yield* buildNode(below, at + 1));
  }
  const names = Array.from(NIBBLES, (nibble): Item => children.get(nibble)?.name ?? NOTHING);
  return { kind: "branch", children, ...(yield* encode([...names, NOTHING])) };
}

function* encode(item: Item): Generator<number, Pick<TrieNode, "bytes" | "name">> {
  const bytes = toRlp(item as never, "bytes") as Uint8Array;
  const name = isNamed({ bytes }) ? keccak256(bytes, "bytes") : item;
  yield bytes.length;
  return { bytes, name };
}

const NIBBLES = "0123456789abcdef";
const NOTHING = new Uint8Array();

function sharedLength([first, ...others]: readonly Entry[], at: number): number {
  let length = 0;
  const agrees = ({ nibbles }: Entry) => nibbles.charAt(at + length) === first?.nibbles.charAt(at + length);
  while (others.every(agrees)) length += 1;
  return length;
}

const isNamed = ({ bytes }: Pick<TrieNode, "bytes">) => bytes.length >= 32;

/** Hex-prefix encoding (Yellow Paper, appendix C): one nibble marks leaf or extension, and odd or even length. */
function encodePath(nibbles: string, isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  return hexToBytes(nibbles.length % 2 === 1 ? `0x${flag + 1}${nibbles}` : `0x${flag}0${nibbles}`);
}
