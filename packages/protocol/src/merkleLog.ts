import { concat } from "viem";
import type { Hex } from "./primitives.js";
import { sha256 } from "./sha256.js";

/**
 * RFC 6962 Merkle tree: leaves and nodes are hashed under different prefixes, so that no node can
 * be passed off as a leaf. Hashes are 32 bytes in lowercase hex; indices and sizes are below 2^53.
 */
export function leafHashOf(leaf: Uint8Array): Hex {
  const prefixed = new Uint8Array(leaf.length + 1);
  prefixed.set(leaf, 1);
  return sha256(prefixed);
}

export function nodeHashOf(left: Hex, right: Hex): Hex {
  return sha256(concat(["0x01", left, right]));
}

/** Root of the tree without leaves: the hash of nothing (RFC 6962 section 2.1). */
export const EMPTY_ROOT: Hex = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Hex;
  readonly path: readonly Hex[];
}

export interface ConsistencyProof {
  readonly first: number;
  readonly second: number;
  readonly path: readonly Hex[];
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
// A node of another length could borrow a byte from its neighbour and still give the same hash.
const isHash = (value: string) => /^0x[0-9a-f]{64}$/.test(value);
const half = (value: number) => Math.floor(value / 2);
const isOdd = (value: number) => value % 2 === 1;

/** A position on the way from a leaf to the root: a node's place on its level, and the last place of that level. */
interface Climb {
  place: number;
  last: number;
}

/** Moves up to the next node of the proof, past levels without a sibling. True when that node is on the left. */
function goUp(climb: Climb): boolean {
  const isLeft = isOdd(climb.place) || climb.place === climb.last;
  if (isLeft) while (!isOdd(climb.place) && climb.place !== 0) raise(climb);
  raise(climb);
  return isLeft;
}

function raise(climb: Climb): void {
  climb.place = half(climb.place);
  climb.last = half(climb.last);
}

/** True when the leaf is at its index in the tree of that size and root (RFC 9162 section 2.1.3.2). */
export function isIncluded({ index, size, leafHash, path }: InclusionProof, root: Hex): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  if (![leafHash, ...path].every(isHash)) return false;
  const climb: Climb = { place: index, last: size - 1 };
  let reached = leafHash;
  for (const node of path) {
    if (climb.last === 0) return false;
    reached = goUp(climb) ? nodeHashOf(node, reached) : nodeHashOf(reached, node);
  }
  return climb.last === 0 && reached === root;
}

/** True when the tree of the second size and root begins with that of the first (RFC 9162 section 2.1.4.2). */
export function isConsistent(
  { first, second, path }: ConsistencyProof,
  firstRoot: Hex,
  secondRoot: Hex,
): boolean {
  if (!isCount(first) || !isCount(second) || first > second) return false;
  if (![firstRoot, secondRoot, ...path].every(isHash)) return false;
  if (first === 0 && firstRoot !== EMPTY_ROOT) return false;
  if (first === second) return path.length === 0 && firstRoot === secondRoot;
  if (first === 0) return path.length === 0;
  // A first tree that is a power of two is itself the first node of the proof.
  const isPowerOfTwo = 2 ** Math.round(Math.log2(first)) === first;
  const [seed, ...nodes] = isPowerOfTwo ? [firstRoot, ...path] : path;
  if (seed === undefined) return false;
  const climb: Climb = { place: first - 1, last: second - 1 };
  while (isOdd(climb.place)) raise(climb);
  let reachedFirst = seed;
  let reachedSecond = seed;
  for (const node of nodes) {
    if (climb.last === 0) return false;
    const isLeft = goUp(climb);
    if (isLeft) reachedFirst = nodeHashOf(node, reachedFirst);
    reachedSecond = isLeft ? nodeHashOf(node, reachedSecond) : nodeHashOf(reachedSecond, node);
  }
  return climb.last === 0 && reachedFirst === firstRoot && reachedSecond === secondRoot;
}
