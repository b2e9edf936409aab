import type { Hex } from "@assay/protocol";
import { appendLeaves, UNRECORDED } from "../../log/appendLeaves.js";
import { getLogRoot } from "../../log/logTree.js";
import { getLogId, getLogSize } from "../../log/signedHeads.js";
import type { Queryable } from "../../store/database.js";

/** Where a log begins to differ from heads that may have been signed under its former name. */
export interface LogBreak {
  readonly formerLogId: string;
  readonly size: number;
  readonly root: Hex;
  /** The moment that the database was put back to. */
  readonly stateOf: string;
  readonly restoredAt: string;
}

/**
 * Records that the database was put back to an earlier moment. What was paid for since has to be read from the chain. Heads of the
 * log that were signed since cannot be known here, so the log goes on under another name, and its next leaf says from where: the
 * old name never gets a second history.
 */
export async function beginRestoration(
  tx: Queryable,
  stateOf: Date,
  { keepsLog = false }: { readonly keepsLog?: boolean } = {},
): Promise<void> {
  const [size, formerLogId] = [await getLogSize(tx), await getLogId(tx)];
  const root = await getLogRoot(tx, size);
  const broken = keepsLog ? null : { formerLogId, size, root };
  await tx.query({
    text: `INSERT INTO restorations (state_of, former_log_id, log_size, log_root) VALUES ($1, $2, $3, $4)`,
    values: [
      stateOf,
      broken?.formerLogId ?? null,
      broken?.size ?? null,
      broken && Buffer.from(broken.root.slice(2), "hex"),
    ],
  });
  if (!broken) return;
  await tx.query({
    text: "UPDATE log_head SET log_id = substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)",
  });
  const content = { ...broken, stateOf: stateOf.toISOString() };
  await appendLeaves(tx, [{ kind: "restoration", subject: formerLogId, content }], UNRECORDED);
}

/** Every break of this log, the oldest first. */
export async function listLogBreaks(db: Queryable): Promise<LogBreak[]> {
  const rows = await db.query<{
    former_log_id: string;
    log_size: bigint;
    log_root: Buffer;
    state_of: Date;
    restored_at: Date;
  }>({
    text: `SELECT former_log_id, log_size, log_root, state_of, restored_at FROM restorations
           WHERE former_log_id IS NOT NULL ORDER BY restoration_id`,
  });
  return rows.map((row) => ({
    formerLogId: row.former_log_id,
    size: Number(row.log_size),
    root: `0x${row.log_root.toString("hex")}`,
    stateOf: row.state_of.toISOString(),
    restoredAt: row.restored_at.toISOString(),
  }));
}

/** A restoration after which payments may still appear on the chain. */
export interface OpenRestoration {
  readonly restorationId: bigint;
  readonly stateOf: Date;
  readonly restoredAt: Date;
  readonly nextBlock: number | null;
  /** Whether everything from before the start has been read. */
  readonly isCaughtUp: boolean;
}

export async function listOpenRestorations(db: Queryable): Promise<OpenRestoration[]> {
  const rows = await db.query<{
    restoration_id: bigint;
    state_of: Date;
    restored_at: Date;
    next_block: bigint | null;
    is_caught_up: boolean;
  }>({
    name: "open_restorations",
    text: `SELECT restoration_id, state_of, restored_at, next_block, caught_up_at IS NOT NULL AS is_caught_up FROM restorations
           WHERE finished_at IS NULL ORDER BY restoration_id`,
  });
  return rows.map((row) => ({
    restorationId: row.restoration_id,
    stateOf: row.state_of,
    restoredAt: row.restored_at,
    nextBlock: row.next_block === null ? null : Number(row.next_block),
    isCaughtUp: row.is_caught_up,
  }));
}
