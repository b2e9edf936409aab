import { type Hex, isConsistent } from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import type { Queryable } from "../store/database.js";
import { findFault, LogFault } from "./logFault.js";
import type { LogSigner } from "./logSigner.js";
import { verifyTiles } from "./logTiles.js";
import { getConsistencyPath, getLogRoot } from "./logTree.js";

export interface LogContext extends Pick<BaseContext, "database" | "logger"> {
  readonly logSigner: LogSigner;
}

/** A head that was signed, with its note. */
export interface SignedHead {
  readonly size: number;
  readonly root: Hex;
  readonly note: string;
}

interface LogState {
  /** Leaves appended so far. */
  readonly size: number;
  readonly newest: SignedHead | undefined;
  /** What was found wrong, until an audit finds it correct. */
  readonly fault: string | null;
}

interface HeadRow {
  size: bigint;
  root: Buffer;
  note: string;
}

const headFromRow = ({ size, root, note }: HeadRow): SignedHead => ({
  size: Number(size),
  root: `0x${root.toString("hex")}`,
  note,
});

/** Leaves hashed again by one statement, which must end within ten seconds even on a busy machine. */
const STATEMENT_LEAVES = 50_000;

async function readState(db: Queryable): Promise<LogState> {
  const [row] = await db.query<{ leaves: bigint; fault: string | null; size: bigint | null } & HeadRow>({
    name: "log_state",
    text: `SELECT h.size AS leaves, a.fault, c.size, c.root, c.note FROM log_head h CROSS JOIN log_audit a
           LEFT JOIN LATERAL (SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1) c ON true`,
  });
  if (!row) throw new LogFault("the head is lost");
  const newest = row.size === null ? undefined : headFromRow(row);
  return { size: Number(row.leaves), newest, fault: row.fault };
}

/** The part of the log's name that is its own; the other part is the key that signs it. */
export async function getLogId(db: Queryable): Promise<string> {
  const [row] = await db.query<{ log_id: string }>({ text: "SELECT log_id FROM log_head" });
  if (!row) throw new LogFault("the head is lost");
  return row.log_id;
}

/** The log's name at its newest head, if another key signed it: the key was changed, or another process uses its own. */
export async function findForeignOrigin(db: Queryable, { origin }: LogSigner): Promise<string | undefined> {
  const [last] = (await readState(db)).newest?.note.split("\n", 1) ?? [];
  return last === origin ? undefined : last;
}

export async function getLogSize(db: Queryable): Promise<number> {
  return (await readState(db)).size;
}

/** The signed head of `size` leaves, if there is one. */
export async function findSignedHead(db: Queryable, size: number): Promise<SignedHead | undefined> {
  const [row] = await db.query<HeadRow>({
    name: "log_signed_head",
    text: "SELECT size, root, note FROM log_checkpoints WHERE size = $1",
    values: [size],
  });
  return row && headFromRow(row);
}

/** The newest signed head if it covers that leaf, or every leaf when none is named; else the present one, signed now. */
export async function getSignedHead(context: LogContext, leaf?: number): Promise<SignedHead> {
  const { size, newest, fault } = await readState(context.database);
  if (fault !== null) throw new LogFault(fault);
  verifyNotShrunk(size, newest);
  const isEnough = newest && newest.size >= (leaf === undefined ? size : leaf + 1);
  // After a change of key the same head is signed again, under the name that verifiers now know.
  if (isEnough && context.logSigner.hasSigned(newest.note, newest)) return newest;
  return context.database.batch("log head", undefined, async (callers) => {
    const head = await signOnDemand(context);
    return callers.map(() => head);
  });
}

/** A fault is recorded for all processes, and stays until the audit finds the log correct. */
async function signOnDemand(context: LogContext): Promise<SignedHead> {
  const outcome = await context.database.transaction(async (tx) => {
    await lockSigning(tx);
    const known = (await readState(tx)).fault;
    if (known !== null) return { fault: known };
    const signing = signHead(tx, context.logSigner);
    const fault = await findFault(signing);
    if (fault === null) return { head: await signing };
    context.logger.error({ fault }, "the transparency log is inconsistent");
    await tx.query({ text: "UPDATE log_audit SET fault = $1", values: [fault] });
    return { fault };
  });
  if (outcome.head) return outcome.head;
  throw new LogFault(outcome.fault);
}

/** One signer at a time, in all processes: two roots signed for one size would be two truths. */
export async function lockSigning(tx: Queryable): Promise<void> {
  await tx.query({ name: "log_lock_signing", text: "SELECT FROM log_audit FOR UPDATE" });
}

/** Verifies the present head and signs it. The caller holds the lock. Throws `LogFault`. */
export async function signHead(tx: Queryable, signer: LogSigner): Promise<SignedHead> {
  const { size, newest } = await readState(tx);
  verifyNotShrunk(size, newest);
  await verifyRows(tx, newest?.size ?? 0, size);
  const root = await getLogRoot(tx, size);
  if (newest) {
    const path = await getConsistencyPath(tx, newest.size, size);
    if (!isConsistent({ first: newest.size, second: size, path }, newest.root, root))
      throw new LogFault(`the log does not begin with the ${newest.size} leaves that were signed`);
  }
  const head = { size, root, note: signer.sign({ size, root }) };
  await tx.query({
    name: "log_signed",
    text: `INSERT INTO log_checkpoints (size, root, note) VALUES ($1, $2, $3)
           ON CONFLICT (size) DO UPDATE SET note = excluded.note WHERE log_checkpoints.note <> excluded.note`,
    values: [size, Buffer.from(root.slice(2), "hex"), head.note],
  });
  return head;
}

function verifyNotShrunk(size: number, newest: SignedHead | undefined): void {
  if (newest && size < newest.size)
    throw new LogFault(`the log holds ${size} leaves, fewer than the ${newest.size} that were signed`);
}

/** Hashes the leaves from `from` to before `to` again, and the nodes they complete. Throws `LogFault`. */
export async function verifyRows(db: Queryable, from: number, to: number): Promise<void> {
  await verifyTiles(db, from, to);
  for (let start = from; start < to; start += STATEMENT_LEAVES) {
    const [row] = await db.query<{ fault: string | null }>({
      name: "log_find_fault",
      text: "SELECT log_find_fault($1, $2) AS fault",
      values: [start, Math.min(start + STATEMENT_LEAVES, to)],
    });
    if (row?.fault) throw new LogFault(row.fault);
  }
}
