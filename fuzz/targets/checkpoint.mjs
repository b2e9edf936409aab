import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, sign as signBytes } from "node:crypto";
import {
  CheckpointError,
  checkpointText,
  formatCheckpoint,
  verifyCheckpoint,
} from "../../packages/protocol/src/checkpoint.ts";
import { throwsOnly } from "../throwsOnly.mjs";

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key. */
const PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const privateKey = createPrivateKey({
  key: Buffer.concat([PREFIX, Buffer.alloc(32, 7)]),
  format: "der",
  type: "pkcs8",
});
const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: "jwk" }).x, "base64url");
const log = { origin: "assay/0x00000000000000000000000000000000000000aa", publicKey };
const heads = [0, 8_453, Number.MAX_SAFE_INTEGER].map((size) => ({
  origin: log.origin,
  size,
  root: `0x${"5a".repeat(32)}`,
}));
const sign = (head) => signBytes(null, Buffer.from(checkpointText(head)), privateKey);
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
