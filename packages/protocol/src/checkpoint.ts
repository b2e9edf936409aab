import { ed25519 } from "@noble/curves/ed25519";
import { bytesToHex, hexToBytes, stringToBytes } from "viem";
import type { Hex } from "./primitives.js";
import { sha256 } from "./sha256.js";

/** A tree head in the C2SP tlog-checkpoint format: origin, size and root, each on a line of its own. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hex;
}

/** The log whose checkpoints are accepted. */
export interface LogKey {
  readonly origin: string;
  /** Ed25519 (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** Why a checkpoint is not accepted, in one sentence. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
}

const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** Algorithm number of Ed25519 in a C2SP signed note. */
const ED25519 = 1;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** Undefined unless the text is the canonical base64 of its bytes. */
function findBytes(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

/** The signed text: everything up to and including the line feed before the blank line. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(hexToBytes(root))}\n`;
}

/** Distinguishes keys of one name: the first bytes of SHA-256 over name, line feed, algorithm and key. */
function keyIdOf({ origin, publicKey }: LogKey): Uint8Array {
  const named = new Uint8Array([...stringToBytes(`${origin}\n`), ED25519, ...publicKey]);
  return hexToBytes(sha256(named)).slice(0, KEY_ID_BYTES);
}

/** The C2SP signed note of a checkpoint. */
export function formatCheckpoint(
  checkpoint: Checkpoint,
  publicKey: Uint8Array,
  signature: Uint8Array,
): string {
  const { origin } = checkpoint;
  const signed = new Uint8Array([...keyIdOf({ origin, publicKey }), ...signature]);
  return `${checkpointText(checkpoint)}\n— ${origin} ${toBase64(signed)}\n`;
}

/** Reads a note that this log signed; it may have signature lines of others as well. Throws `CheckpointError`. */
export function verifyCheckpoint(note: string, log: LogKey): Checkpoint {
  const [, text, signatures] = /^((?:[^\n]+\n)+)\n((?:— [^\s+]+ [A-Za-z0-9+/]+={0,2}\n)+)$/.exec(note) ?? [];
  if (text === undefined || signatures === undefined)
    throw new CheckpointError("A checkpoint is a text, a blank line and signature lines.");
  const checkpoint = readCheckpointText(text);
  if (checkpoint.origin !== log.origin)
    throw new CheckpointError(`The checkpoint is of ${checkpoint.origin}, not of ${log.origin}.`);
  if (log.publicKey.length !== PUBLIC_KEY_BYTES)
    throw new CheckpointError(`The log's key is not ${PUBLIC_KEY_BYTES} bytes long.`);
  const message = stringToBytes(text);
  const isSigned = signatures.split("\n").some((line) => {
    const signature = findSignature(line, log);
    // Strictly by RFC 8032: ZIP 215 accepts several encodings of one signature.
    return signature && ed25519.verify(signature, message, log.publicKey, { zip215: false });
  });
  if (!isSigned) throw new CheckpointError("The checkpoint is not signed by the log's key.");
  return checkpoint;
}

function readCheckpointText(text: string): Checkpoint {
  const [origin, size, root, ...more] = text.slice(0, -1).split("\n");
  if (origin === undefined || size === undefined || root === undefined || more.length > 0)
    throw new CheckpointError("A checkpoint has three lines: origin, size and root.");
  if (!/^(0|[1-9][0-9]*)$/.test(size) || !Number.isSafeInteger(Number(size)))
    throw new CheckpointError("The checkpoint's size is not a whole number below 2^53.");
  const rootBytes = findBytes(root);
  if (rootBytes?.length !== 32) throw new CheckpointError("The checkpoint's root is not 32 bytes in base64.");
  return { origin, size: Number(size), root: bytesToHex(rootBytes) };
}

/** The signature of a line that names this log and its key. */
function findSignature(line: string, log: LogKey): Uint8Array | undefined {
  const prefix = `— ${log.origin} `;
  if (!line.startsWith(prefix)) return undefined;
  const bytes = findBytes(line.slice(prefix.length));
  if (bytes?.length !== KEY_ID_BYTES + SIGNATURE_BYTES) return undefined;
  const isOurs = keyIdOf(log).every((byte, i) => byte === bytes[i]);
  return isOurs ? bytes.slice(KEY_ID_BYTES) : undefined;
}
