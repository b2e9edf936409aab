import { concat, type Hex, sha256 } from "viem";

/**
 * RFC 6962 Merkle tree: leaves and nodes are hashed under different prefixes, so that no node can
 * be passed off as a leaf. Hashes are 32 bytes in hex; indices and sizes are numbers below 2^53.
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

const isIndex = (value: number) => Number.isSafeInteger(value) && value >= 0;
const half = (value: number) => Math.floor(value / 2);
const isOdd = (value: number) => value % 2 === 1;

/** The root this proof leads to, or undefined when it has the wrong shape (RFC 9162 section 2.1.3.2). */
export function rootOfInclusion({ index, size, leafHash, path }: InclusionProof): Hex | undefined {
  if (!isIndex(index) || !isIndex(size) || index >= size) return undefined;
  let position = index;
  let last = size - 1;
  let root = leafHash;
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (isOdd(position) || position === last) {
      root = nodeHashOf(sibling, root);
      while (!isOdd(position) && position !== 0) {
        position = half(position);
        last = half(last);
      }
    } else root = nodeHashOf(root, sibling);
    position = half(position);
    last = half(last);
  }
  return last === 0 ? root : undefined;
}

export function isIncluded(proof: InclusionProof, root: Hex): boolean {
  return rootOfInclusion(proof) === root;
}

export interface ConsistencyProof {
  readonly firstSize: number;
  readonly secondSize: number;
  readonly path: readonly Hex[];
}

/** True when the tree of `secondRoot` begins with the tree of `firstRoot` (RFC 9162 section 2.1.4.2). */
export function isConsistent(proof: ConsistencyProof, firstRoot: Hex, secondRoot: Hex): boolean {
  const { firstSize, secondSize, path } = proof;
  if (!isIndex(firstSize) || !isIndex(secondSize) || firstSize > secondSize) return false;
  if (firstSize === secondSize) return path.length === 0 && firstRoot === secondRoot;
  if (firstSize === 0) return path.length === 0 && firstRoot === EMPTY_ROOT;
  // A first tree that is a power of two is itself the first node of the proof.
  const isPowerOfTwo =
    Number.isInteger(Math.log2(firstSize)) && 2 ** Math.round(Math.log2(firstSize)) === firstSize;
  const nodes = isPowerOfTwo ? [firstRoot, ...path] : [...path];
  let position = firstSize - 1;
  let last = secondSize - 1;
  while (isOdd(position)) {
    position = half(position);
    last = half(last);
  }
  const [seed, ...rest] = nodes;
  if (seed === undefined) return false;
  let first = seed;
  let second = seed;
  for (const node of rest) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      first = nodeHashOf(node, first);
      second = nodeHashOf(node, second);
      while (!isOdd(position) && position !== 0) {
        position = half(position);
        last = half(last);
      }
    } else second = nodeHashOf(second, node);
    position = half(position);
    last = half(last);
  }
  return last === 0 && first === firstRoot && second === secondRoot;
}
