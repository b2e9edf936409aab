import { type Checkpoint, type Hex, hash32Schema, isConsistent, verifyCheckpoint } from "@assay/protocol";
import type { RequestOptions } from "./connect.js";
import type { Records } from "./createRecords.js";
import { decodeKey } from "./decodeKey.js";
import { followKeys } from "./followKeys.js";

/** A head of a log that was seen and verified. */
export interface SeenHead {
  readonly origin: string;
  /** Ed25519, 32 bytes in base64. */
  readonly publicKey: string;
  readonly size: number;
  readonly root: Hex;
}

/** Reads a stored head; undefined when the value is not one. */
export function readSeenHead(stored: unknown): SeenHead | undefined {
  const { origin, publicKey, size, root } = Object(stored) as Partial<Record<keyof SeenHead, unknown>>;
  const isHead =
    typeof origin === "string" &&
    typeof publicKey === "string" &&
    Number.isSafeInteger(size) &&
    hash32Schema.safeParse(root).success;
  return isHead ? (stored as SeenHead) : undefined;
}

export interface LogCheck {
  readonly ok: boolean;
  readonly detail: string;
  /** The head to compare the next one with; undefined when this one must not be trusted. */
  readonly head: SeenHead | undefined;
}

/**
 * Checks that the log's newest head is signed by its key and that the log still begins with everything that was in it at
 * `seen`. A caller that stores the head notices when the past is rewritten.
 */
export async function checkLogHead(
  records: Pick<Records, "describe" | "logCheckpoint" | "logConsistency">,
  seen?: SeenHead,
  options: RequestOptions & {
    /** The key that the service is known to sign with: the log's new key counts where it leads there. */
    readonly signer?: Hex | undefined;
  } = {},
): Promise<LogCheck> {
  const { log, endorsements } = await records.describe(options);
  const refuse = (detail: string): LogCheck => ({ ok: false, detail, head: undefined });
  const publicKey = decodeKey(log.publicKey);
  if (!publicKey) return refuse("The stated log key is not base64.");
  let newest: Checkpoint;
  const note = await records.logCheckpoint(options);
  try {
    newest = verifyCheckpoint(note, { origin: log.origin, publicKey });
  } catch (error) {
    if (error instanceof Error && error.name === "CheckpointError") return refuse(error.message);
    throw error;
  }
  const head: SeenHead = { ...newest, publicKey: log.publicKey };
  const signed = `${newest.size} entries, signed by ${log.publicKey}`;
  if (!seen) return { ok: true, detail: `${signed}; seen for the first time.`, head };
  // A past can be rewritten under another name too. Which of the two is right, only the caller can find out.
  const isContinued = async () =>
    seen.publicKey === head.publicKey ||
    isSignedBy(note, seen) ||
    (options.signer !== undefined &&
      (await followKeys(options.signer, endorsements)).hasLogKey(head.publicKey, head.origin));
  if (seen.origin !== head.origin || !(await isContinued()))
    return refuse(
      `The log was signed by ${seen.publicKey} when last seen, as ${seen.origin}; now it is ${head.origin}, signed by ${head.publicKey}. Nothing shows that it holds the same entries.`,
    );
  if (seen.size > head.size)
    return refuse(`The log had ${seen.size} entries when last seen and has ${head.size} now.`);
  if (seen.size === head.size && seen.root === head.root)
    return { ok: true, detail: `${signed}; unchanged since it was last seen.`, head };
  const proof = await records.logConsistency(seen.size, head.size, options);
  const asked = { first: seen.size, second: head.size, path: proof.path };
  return isConsistent(asked, seen.root, head.root)
    ? { ok: true, detail: `${signed}; it begins with the ${seen.size} entries seen last.`, head }
    : refuse(
        `The log no longer begins with the ${seen.size} entries it had when last seen: its past was rewritten.`,
      );
}

/** While keys are rotated, heads are signed by the former key too. */
function isSignedBy(note: string, { origin, publicKey }: SeenHead): boolean {
  const key = decodeKey(publicKey);
  try {
    return key !== undefined && verifyCheckpoint(note, { origin, publicKey: key }) !== undefined;
  } catch {
    return false;
  }
}
