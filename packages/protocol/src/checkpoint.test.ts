import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import {
  type Checkpoint,
  CheckpointError,
  checkpointText,
  formatCheckpoint,
  verifyCheckpoint,
} from "./checkpoint.js";

const keyBytes = (key: KeyObject) => Buffer.from(key.export({ format: "jwk" }).x as string, "base64url");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const log = { origin: "assay/0x00000000000000000000000000000000000000aa", publicKey: keyBytes(publicKey) };
const checkpoint: Checkpoint = { origin: log.origin, size: 8453, root: `0x${"5a".repeat(32)}` };
const signed = (head: Checkpoint, key = privateKey) =>
  formatCheckpoint(head, keyBytes(createPublicKey(key)), sign(null, Buffer.from(checkpointText(head)), key));
const note = signed(checkpoint);
const refusalOf = (text: string, key = log) => {
  try {
    verifyCheckpoint(text, key);
  } catch (error) {
    return error instanceof CheckpointError ? error.message : `not a CheckpointError: ${error}`;
  }
  return "none";
};

test("a note has the form of C2SP, and OpenSSL verifies its signature", () => {
  const [origin, size, root, blank, signature, end] = note.split("\n");
  expect([origin, size, root, blank, end]).toEqual([
    log.origin,
    "8453",
    "WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo=",
    "",
    "",
  ]);
  const bytes = Buffer.from(/^— (\S+) (\S+)$/.exec(signature ?? "")?.[2] ?? "", "base64");
  const text = Buffer.from(note.slice(0, note.indexOf("\n\n") + 1));
  expect(verify(null, text, publicKey, bytes.subarray(4))).toBe(true);
  expect(verifyCheckpoint(note, log)).toEqual(checkpoint);
});

test("the key's id is that of a published key", () => {
  // The example key of Go's package golang.org/x/mod/sumdb/note: name, id, then algorithm and key in base64.
  const verifierKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
  const [name = "", id = "", encoded = ""] = verifierKey.split("+");
  const published = Buffer.from(encoded, "base64").subarray(1);
  const line = formatCheckpoint({ ...checkpoint, origin: name }, published, Buffer.alloc(64)).split("\n")[4];
  expect(
    Buffer.from(line?.split(" ")[2] ?? "", "base64")
      .subarray(0, 4)
      .toString("hex"),
  ).toBe(id);
});

test("heads of every size are read back", () => {
  for (const size of [0, 1, Number.MAX_SAFE_INTEGER])
    expect(verifyCheckpoint(signed({ ...checkpoint, size }), log).size).toBe(size);
});

test("an additional signature of another key is accepted", () => {
  const witness = signed({ ...checkpoint, origin: "witness" }, generateKeyPairSync("ed25519").privateKey);
  const both = `${note}${witness.slice(witness.indexOf("— "))}`;
  expect(verifyCheckpoint(both, log)).toEqual(checkpoint);
});

/** `npm run campaign:changes` changes every byte; the suite every fourth, which meets each line and each part of the signature. */
const STEP = process.env.ASSAY_EVERY_CHANGE ? 1 : 4;

test("every byte counts", () => {
  const bytes = Buffer.from(note);
  for (let at = 0; at < bytes.length; at += STEP) {
    for (const changed of [
      Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
      Buffer.concat([bytes.subarray(0, at), Buffer.of((bytes[at] ?? 0) ^ 1), bytes.subarray(at + 1)]),
    ])
      expect(refusalOf(changed.toString("utf8")), `byte ${at}`).not.toBe("none");
  }
});

test("what is refused, and why", () => {
  const other = generateKeyPairSync("ed25519");
  const head = checkpointText(checkpoint);
  const signature = note.slice(note.indexOf("— "));
  expect(refusalOf("")).toMatch(/^A checkpoint is a text/);
  expect(refusalOf(note.trimEnd())).toMatch(/^A checkpoint is a text/);
  expect(refusalOf(`${note}more`)).toMatch(/^A checkpoint is a text/);
  expect(refusalOf(`${head}extension\n\n${signature}`)).toMatch(/three lines/);
  expect(refusalOf(note.replace("8453", "08453"))).toMatch(/whole number/);
  expect(refusalOf(note.replace("8453", "9007199254740992"))).toMatch(/whole number/);
  expect(refusalOf(note.replace("Wlo=", "Wlp="))).toMatch(/32 bytes/);
  expect(refusalOf(note.replace("8453", "8454"))).toMatch(/not signed/);
  expect(refusalOf(note, { ...log, origin: "assay/other" })).toMatch(/not of assay\/other/);
  expect(refusalOf(note, { ...log, publicKey: keyBytes(other.publicKey) })).toMatch(/not signed/);
  expect(refusalOf(note, { ...log, publicKey: log.publicKey.subarray(1) })).toMatch(/32 bytes/);
  // Signed with another key under the id of ours.
  const forged = Buffer.concat([
    Buffer.from(signature.split(" ")[2] ?? "", "base64").subarray(0, 4),
    sign(null, Buffer.from(head), other.privateKey),
  ]).toString("base64");
  expect(refusalOf(`${head}\n— ${log.origin} ${forged}\n`)).toMatch(/not signed/);
});
