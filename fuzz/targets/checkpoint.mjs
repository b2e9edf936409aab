import assert from "node:assert/strict";
import { ed25519 } from "@noble/curves/ed25519";
import {
  CheckpointError,
  checkpointText,
  formatCheckpoint,
  verifyCheckpoint,
} from "../../packages/protocol/src/checkpoint.ts";
import { throwsOnly } from "../throwsOnly.mjs";

const privateKey = Buffer.alloc(32, 7);
const publicKey = ed25519.getPublicKey(privateKey);
const log = { origin: "assay/0x00000000000000000000000000000000000000aa", publicKey };
const heads = [0, 8_453, Number.MAX_SAFE_INTEGER].map((size) => ({
  origin: log.origin,
  size,
  root: `0x${"5a".repeat(32)}`,
}));
const sign = (head) => ed25519.sign(Buffer.from(checkpointText(head)), privateKey);
const notes = heads.map((head) => formatCheckpoint(head, publicKey, sign(head)));

/** Signed heads of the log. Only what was signed may be accepted. */
export const target = {
  maxBytes: 2_048,
  cpuMs: 100,
  form: "bytes",
  words: ["\n\n", "— ", `— ${log.origin} `, "+", "=", "\u2028"],
  seeds: () => notes.map((note) => Buffer.from(note)),
  run(bytes) {
    const checkpoint = throwsOnly([CheckpointError], () =>
      verifyCheckpoint(Buffer.from(bytes).toString(), log),
    );
    if (checkpoint) assert.ok(heads.some((head) => checkpointText(head) === checkpointText(checkpoint)));
  },
};
