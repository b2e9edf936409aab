import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import {
  CheckpointError,
  type Hex,
  isIncluded,
  type LogKey,
  leafHashOf,
  type ReceiptLog,
  verifyCheckpoint,
} from "@assay/protocol";

/** What a stranger is shown: a leaf, its place, and the signed head that is said to hold it. */
export type ShownProof = Pick<ReceiptLog, "index" | "leaf" | "size" | "path" | "checkpoint">;

/** Believes a proof as a client does. Notes are remembered: a signature takes longer than all hashes together. */
export function createBeliever(key: LogKey): (shown: ShownProof) => boolean {
  const heads = new Map<string, ReturnType<typeof verifyCheckpoint> | undefined>();
  const findHead = (note: string) => {
    if (heads.has(note)) return heads.get(note);
    let head: ReturnType<typeof verifyCheckpoint> | undefined;
    try {
      head = verifyCheckpoint(note, key);
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
    }
    heads.set(note, head);
    return head;
  };
  return ({ index, leaf, size, path, checkpoint }) => {
    const head = findHead(checkpoint);
    const leafHash = leafHashOf(Buffer.from(leaf));
    return head?.size === size && isIncluded({ index, size, leafHash, path }, head.root);
  };
}

const changeCharacter = (text: string, at: number, character: string) =>
  `${text.slice(0, at)}${character}${text.slice(at + 1)}`;

/** Another hexadecimal digit than the one that stands there. */
function changeDigit(hash: Hex, choices: SeededChoices): Hex {
  const at = choices.integer(2, hash.length - 1);
  const digit = Number.parseInt(hash.charAt(at), 16) ^ choices.integer(1, 15);
  return changeCharacter(hash, at, digit.toString(16)) as Hex;
}

const forgeries: Record<
  string,
  (proof: ShownProof, other: ShownProof, choices: SeededChoices) => ShownProof
> = {
  index: (proof, _other, choices) => ({
    ...proof,
    index: (proof.index + choices.integer(1, proof.size - 1)) % proof.size,
  }),
  "index by one bit": (proof, _other, choices) => ({
    ...proof,
    index: proof.index ^ (1 << choices.integer(0, 19)),
  }),
  size: (proof, _other, choices) => ({ ...proof, size: proof.size + choices.pick([-2, -1, 1, 2, 1024]) }),
  leaf: (proof, _other, choices) => ({
    ...proof,
    leaf: changeCharacter(proof.leaf, choices.integer(0, proof.leaf.length - 1), "~"),
  }),
  "leaf of another": (proof, other) => ({ ...proof, leaf: other.leaf }),
  path: (proof, _other, choices) => {
    const at = choices.integer(0, proof.path.length - 1);
    return { ...proof, path: proof.path.map((node, i) => (i === at ? changeDigit(node, choices) : node)) };
  },
  "path shortened": (proof, _other, choices) => ({
    ...proof,
    path: proof.path.toSpliced(choices.integer(0, proof.path.length - 1), 1),
  }),
  "path lengthened": (proof, _other, choices) => ({
    ...proof,
    path: proof.path.toSpliced(choices.integer(0, proof.path.length), 0, choices.hex(32)),
  }),
  "path of another": (proof, other) => ({ ...proof, path: other.path }),
  root: (proof, _other, choices) => {
    const [origin, size, , ...rest] = proof.checkpoint.split("\n");
    const root = Buffer.from(choices.hex(32).slice(2), "hex").toString("base64");
    return { ...proof, checkpoint: [origin, size, root, ...rest].join("\n") };
  },
};

/** Makes one false proof out of two true ones, and says what is false in it. */
export function forgeProof(proof: ShownProof, other: ShownProof, choices: SeededChoices) {
  const what = choices.pick(Object.keys(forgeries));
  return { what, forged: forgeries[what]?.(proof, other, choices) ?? proof };
}
