import {
  AssayError,
  type Hex,
  isConsistent,
  isIncluded,
  type LogConsistency,
  type LogProof,
  leafHashOf,
  type ReceiptLog,
} from "@assay/protocol";
import { LogFault } from "./logFault.js";
import { findLeaf } from "./logTiles.js";
import { getConsistencyPath, getInclusionPath, getLogRoot } from "./logTree.js";
import { findSignedHead, getLogSize, getSignedHead, type LogContext } from "./signedHeads.js";

/** The audit path of a leaf in the tree of `size` leaves; in the newest signed one when no size is given. */
export async function getLogProof(context: LogContext, index: number, size?: number): Promise<LogProof> {
  const { database } = context;
  const asked = size ?? (await getSignedHead(context)).size;
  verifyWithin(await getLogSize(database), Math.max(index + 1, asked));
  if (index >= asked) {
    throw new AssayError("invalid_input", `index must be below size, which is ${asked}.`, {
      fields: [{ field: "index", rule: "must be below size" }],
    });
  }
  const [signed, { leafHash, path }] = await Promise.all([
    findSignedHead(database, asked),
    getInclusionPath(database, index, asked),
  ]);
  const proof = { index, size: asked, leafHash, path };
  verifyPath(context, isIncluded(proof, signed?.root ?? (await getLogRoot(database, asked))), index, asked);
  return { ...proof, checkpoint: signed?.note ?? null };
}

/** Proves that the tree of the second size begins with the tree of the first. */
export async function getLogConsistency(
  context: LogContext,
  first: number,
  second: number,
): Promise<LogConsistency> {
  const { database } = context;
  verifyWithin(await getLogSize(database), Math.max(first, second));
  if (first > second) {
    throw new AssayError("invalid_input", "first must be at most second.", {
      fields: [{ field: "first", rule: "must be at most second" }],
    });
  }
  const [path, ...roots] = await Promise.all([
    getConsistencyPath(database, first, second),
    getRoot(context, first),
    getRoot(context, second),
  ]);
  const proof = { first, second, path };
  verifyPath(context, isConsistent(proof, ...roots), first, second);
  return proof;
}

/** The root that was signed for this size; where none was, the one the rows give. */
async function getRoot({ database }: LogContext, size: number): Promise<Hex> {
  return (await findSignedHead(database, size))?.root ?? getLogRoot(database, size);
}

function verifyWithin(leaves: number, needed: number): void {
  if (needed > leaves) throw new AssayError("not_found", `The log holds ${leaves} leaves.`);
}

/** A proof that its reader could not verify is not given out. */
function verifyPath({ logger }: LogContext, holds: boolean, from: number, to: number): void {
  if (holds) return;
  const fault = `the rows between leaf ${from} and the root of ${to} leaves do not fit together`;
  logger.error({ fault }, "the transparency log is inconsistent");
  throw new LogFault(fault);
}

/** Everything a receipt's reader needs to find it in the log; null while the log is inconsistent. */
export async function findReceiptLog(context: LogContext, index: number): Promise<ReceiptLog | null> {
  try {
    return await getReceiptLog(context, index);
  } catch (error) {
    if (error instanceof LogFault) return null;
    throw error;
  }
}

async function getReceiptLog(context: LogContext, index: number): Promise<ReceiptLog> {
  const { database, logSigner } = context;
  const { size, root, note } = await getSignedHead(context, index);
  const [leaf = Buffer.alloc(0), { path }] = await Promise.all([
    findLeaf(database, index),
    getInclusionPath(database, index, size),
  ]);
  const proof = { index, leafHash: leafHashOf(leaf), size, path };
  verifyPath(context, isIncluded(proof, root), index, size);
  return {
    ...proof,
    leaf: leaf.toString("utf8"),
    checkpoint: note,
    publicKey: logSigner.publicKey,
    origin: logSigner.origin,
  };
}
