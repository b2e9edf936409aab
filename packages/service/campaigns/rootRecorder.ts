import { createHash } from "node:crypto";
import type { Hex } from "@assay/protocol";

/** Hashes a tree as its leaves come, by RFC 6962, without the database or the code that is put to the test. */
export interface RootRecorder {
  add(leaf: Uint8Array): void;
  root(): Hex;
}

const sha256 = (prefix: number, ...parts: Uint8Array[]) => {
  const hash = createHash("sha256").update(Uint8Array.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export function createRootRecorder(): RootRecorder {
  /** Roots of the complete subtrees from the left, each smaller than the one before. */
  const peaks: { readonly leaves: number; readonly hash: Buffer }[] = [];
  return {
    add(leaf) {
      let newest = { leaves: 1, hash: sha256(0, leaf) };
      for (let left = peaks.at(-1); left?.leaves === newest.leaves; left = peaks.at(-1)) {
        peaks.pop();
        newest = { leaves: left.leaves * 2, hash: sha256(1, left.hash, newest.hash) };
      }
      peaks.push(newest);
    },
    root() {
      const hashes = peaks.map(({ hash }) => hash);
      const root =
        hashes.length > 0 ? hashes.reduceRight((right, left) => sha256(1, left, right)) : undefined;
      return `0x${(root ?? createHash("sha256").digest()).toString("hex")}`;
    },
  };
}
