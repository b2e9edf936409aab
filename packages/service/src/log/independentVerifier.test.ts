import { createHash, createPublicKey } from "node:crypto";
import { createRequire } from "node:module";
import type { ReceiptLog } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findReceiptLog } from "./logProofs.js";
import { createLog, type TestLog } from "./testing/createLog.js";

interface SigstoreEntry {
  readonly canonicalizedBody: Buffer;
  readonly inclusionProof: {
    readonly logIndex: string;
    readonly hashes: readonly Buffer[];
    readonly checkpoint: { readonly envelope: string };
  };
}
// Sigstore's verifier of its own log, which speaks the same formats: RFC 6962 paths under C2SP checkpoints.
const load = createRequire(import.meta.url);
const { verifyCheckpoint } = load("@sigstore/verify/dist/tlog/checkpoint.js") as {
  verifyCheckpoint(entry: SigstoreEntry, logs: readonly unknown[]): unknown;
};
const { verifyMerkleInclusion } = load("@sigstore/verify/dist/tlog/merkle.js") as {
  verifyMerkleInclusion(entry: SigstoreEntry, checkpoint: unknown): void;
};

let log: TestLog;
const proofs: ReceiptLog[] = [];
beforeAll(async () => {
  log = await createLog();
  for (const count of [1, 2, 5, 9, 20, 28]) {
    await log.append(count);
    proofs.push((await findReceiptLog(log, 0)) as ReceiptLog);
  }
  for (let index = 0; index < 65; index++) proofs.push((await findReceiptLog(log, index)) as ReceiptLog);
});
afterAll(() => log.database.close());

const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");
/** An Ed25519 key in the DER form of RFC 8410. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

function verify({ origin, publicKey, leaf, index, path, checkpoint }: ReceiptLog): void {
  const raw = Buffer.from(publicKey, "base64");
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(1), raw]);
  const known = {
    logID: createHash("sha256").update(named).digest(),
    publicKey: createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" }),
    baseURL: `https://${origin}`,
  };
  const entry: SigstoreEntry = {
    canonicalizedBody: Buffer.from(leaf),
    inclusionProof: {
      logIndex: String(index),
      hashes: path.map(bytes),
      checkpoint: { envelope: checkpoint },
    },
  };
  verifyMerkleInclusion(entry, verifyCheckpoint(entry, [known]));
}

test("Sigstore's verifier accepts every proof and the head it leads to", () => {
  expect(proofs.length).toBe(71);
  for (const proof of proofs) expect(() => verify(proof)).not.toThrow();
});

test("and refuses them with another leaf, place, path or head", () => {
  const [first, ...rest] = proofs as [ReceiptLog, ...ReceiptLog[]];
  for (const proof of rest.slice(-60)) {
    expect(() => verify({ ...proof, leaf: `${proof.leaf} ` })).toThrow();
    expect(() => verify({ ...proof, index: proof.index ^ 1 })).toThrow();
    expect(() => verify({ ...proof, path: proof.path.slice(1) })).toThrow();
    expect(() => verify({ ...proof, path: proof.path.with(0, first.leafHash) })).toThrow();
    expect(() => verify({ ...proof, checkpoint: proof.checkpoint.replace("\n", "\n1") })).toThrow();
  }
});
