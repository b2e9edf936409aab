import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY_ROOT, isConsistent, isIncluded, leafHashOf, nodeHashOf } from "./merkleLog.js";
import type { Hex } from "./primitives.js";

// The definitions of RFC 6962 section 2.1, literally and with another SHA-256, to compare the verifiers with.
const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1);
const toHex = (hash: Buffer): Hex => `0x${hash.toString("hex")}`;
const leafOf = (index: number) => Buffer.from(`leaf ${index}`);

const known = new Map<string, Buffer>();
/** MTH(D[from:to]) */
function mth(from: number, to: number): Buffer {
  const name = `${from}:${to}`;
  const hash =
    known.get(name) ??
    (to === from
      ? sha256()
      : to - from === 1
        ? sha256(Buffer.of(0), leafOf(from))
        : sha256(Buffer.of(1), mth(from, from + splitOf(to - from)), mth(from + splitOf(to - from), to)));
  known.set(name, hash);
  return hash;
}
/** PATH(m, D[from:to]) */
function path(m: number, from: number, to: number): Buffer[] {
  if (to - from === 1) return [];
  const k = splitOf(to - from);
  return m < k
    ? [...path(m, from, from + k), mth(from + k, to)]
    : [...path(m - k, from + k, to), mth(from, from + k)];
}
/** SUBPROOF(m, D[from:to], b) */
function subproof(m: number, from: number, to: number, b: boolean): Buffer[] {
  if (m === to - from) return b ? [] : [mth(from, to)];
  const k = splitOf(to - from);
  return m <= k
    ? [...subproof(m, from, from + k, b), mth(from + k, to)]
    : [...subproof(m - k, from + k, to, false), mth(from, from + k)];
}
const rootOf = (size: number) => toHex(mth(0, size));
const inclusionOf = (index: number, size: number) => ({
  index,
  size,
  leafHash: leafHashOf(leafOf(index)),
  path: path(index, 0, size).map(toHex),
});
const consistencyOf = (first: number, second: number) => ({
  first,
  second,
  path: first === 0 ? [] : subproof(first, 0, second, true).map(toHex),
});

/** Every tree up to this size is tried: past 64, where a level is added. Larger ones are tried at random. */
const SIZES = 66;
const largeSize = fc.integer({ min: SIZES + 1, max: 3000 });

describe("proofs made as RFC 6962 defines them", () => {
  test("the empty tree, a leaf and a node", () => {
    expect(rootOf(0)).toBe(EMPTY_ROOT);
    expect(leafHashOf(leafOf(0))).toBe(rootOf(1));
    expect(nodeHashOf(rootOf(1), toHex(mth(1, 2)))).toBe(rootOf(2));
  });

  test("every leaf of every tree is found", () => {
    for (let size = 1; size <= SIZES; size++)
      for (let index = 0; index < size; index++)
        if (!isIncluded(inclusionOf(index, size), rootOf(size)))
          expect.fail(`leaf ${index} of ${size} was not found`);
  });

  test("every two trees are consistent", () => {
    for (let second = 0; second <= SIZES; second++)
      for (let first = 0; first <= second; first++)
        if (!isConsistent(consistencyOf(first, second), rootOf(first), rootOf(second)))
          expect.fail(`${first} and ${second} were not consistent`);
  });

  test("larger trees", () => {
    fc.assert(
      fc.property(largeSize, fc.nat(), (size, choice) => {
        const smaller = choice % size;
        expect(isIncluded(inclusionOf(smaller, size), rootOf(size))).toBe(true);
        expect(isConsistent(consistencyOf(smaller, size), rootOf(smaller), rootOf(size))).toBe(true);
      }),
    );
  });
});

describe("what is not in the tree is refused", () => {
  const flip = (hash: Hex): Hex => `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}` as Hex;

  test("a wrong index, size, leaf, path or root", () => {
    for (let size = 1; size <= 20; size++)
      for (let index = 0; index < size; index++) {
        const proof = inclusionOf(index, size);
        const root = rootOf(size);
        const forged = [
          ...Array.from({ length: 24 }, (_, other) => ({ ...proof, index: other })).filter(
            (other) => other.index !== index,
          ),
          { ...proof, index: -1 },
          { ...proof, index: index + 0.5 },
          { ...proof, leafHash: flip(proof.leafHash) },
          { ...proof, path: [...proof.path, root] },
          { ...proof, path: proof.path.slice(1) },
          ...proof.path.flatMap((node, at) => [
            { ...proof, path: proof.path.with(at, flip(node)) },
            { ...proof, path: proof.path.toSpliced(at, 1) },
            { ...proof, path: proof.path.with(at, node.toUpperCase().replace("0X", "0x") as Hex) },
          ]),
        ].filter((other) => JSON.stringify(other) !== JSON.stringify(proof));
        expect(forged.filter((other) => isIncluded(other, root))).toEqual([]);
        expect(isIncluded(proof, flip(root))).toBe(false);
      }
  });

  test("a byte moved from one node to its neighbour, which gives the same hash", () => {
    const { leafHash, path: nodes, ...place } = inclusionOf(0, 2);
    const [node = "0x"] = nodes;
    const longer = `${leafHash}${node.slice(2, 4)}` as Hex;
    const shorter = `0x${node.slice(4)}` as Hex;
    expect(nodeHashOf(longer, shorter)).toBe(rootOf(2));
    expect(isIncluded({ ...place, leafHash: longer, path: [shorter] }, rootOf(2))).toBe(false);
  });

  test("an inner node passed off as a leaf", () => {
    const inner = Buffer.concat([mth(0, 1), mth(1, 2)]);
    expect(leafHashOf(inner)).not.toBe(rootOf(2));
    expect(isIncluded({ index: 0, size: 1, leafHash: leafHashOf(inner), path: [] }, rootOf(2))).toBe(false);
  });

  test("two trees of which one is not the beginning of the other", () => {
    for (let second = 1; second <= 34; second++)
      for (let first = 0; first <= second; first++) {
        const proof = consistencyOf(first, second);
        const [from, to] = [rootOf(first), rootOf(second)];
        const forged = [
          { ...proof, path: [...proof.path, to] },
          ...proof.path.flatMap((node, at) => [
            { ...proof, path: proof.path.with(at, flip(node)) },
            { ...proof, path: proof.path.toSpliced(at, 1) },
          ]),
          { ...proof, first: second + 1 },
        ];
        expect(forged.filter((other) => isConsistent(other, from, to))).toEqual([]);
        expect(isConsistent(proof, flip(from), to)).toBe(false);
        if (first > 0) expect(isConsistent(proof, from, flip(to))).toBe(false);
      }
  });
});
