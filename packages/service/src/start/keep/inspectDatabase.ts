import { type Hex, isConsistent } from "@assay/protocol";
import { findFault } from "../../log/logFault.js";
import { getConsistencyPath, getLogRoot } from "../../log/logTree.js";
import { getLogId, getLogSize, verifyRows } from "../../log/signedHeads.js";
import type { Queryable } from "../../store/database.js";

export interface DatabaseReport {
  readonly settledCalls: number;
  readonly creditEntries: number;
  readonly log: {
    readonly id: string;
    readonly size: number;
    readonly root: Hex;
    readonly signed: number | null;
  };
  /** Sentences; empty where everything holds. */
  readonly faults: readonly string[];
}

/** What no row may show, though a leaf may hold any bytes, with the sentence that its count completes. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  "accounts have another balance than their entries add up to": `
    SELECT count(*) FROM credit_balances b FULL JOIN (
      SELECT account, sum(change) AS change FROM (
        SELECT credit_account AS account, amount_micro_usd AS change FROM credit_entries
        UNION ALL SELECT debit_account, -amount_micro_usd FROM credit_entries) legs GROUP BY account) e USING (account)
    WHERE coalesce(b.balance_micro_usd, 0) <> coalesce(e.change, 0)`,
  "micro-USD are missing from or too many in all accounts together":
    "SELECT coalesce(abs(sum(balance_micro_usd)), 0) FROM credit_balances",
  "accounts that issue nothing are below zero":
    "SELECT count(*) FROM credit_balances WHERE balance_micro_usd < 0 AND account NOT LIKE 'issue:%'",
  "settled calls have no stored answer": `
    SELECT count(*) FROM invocations i WHERE state = 'settled' AND packed IS NULL
      AND NOT EXISTS (SELECT 1 FROM responses r WHERE r.invocation_id = i.invocation_id)`,
  "settled calls are recorded at a place that the log does not have": `
    SELECT count(*) FROM invocations WHERE log_index >= (SELECT size FROM log_head)`,
  "unpacked leaves of calls differ from the call that names their place": `
    SELECT count(*) FROM invocations i JOIN log_leaves l ON l.leaf_index = i.log_index
    WHERE l.kind <> 'receipt'
      OR position(convert_to('"invocationId":' || to_json(i.invocation_id)::text, 'UTF8') IN l.leaf) = 0`,
  "public answers name a call that has no answer": `
    SELECT count(*) FROM artifacts a LEFT JOIN responses r USING (invocation_id) WHERE r.invocation_id IS NULL`,
};

/** Computes again what the rows say: the ledger's sums, every hash of the log, and the head that was signed last. */
export async function inspectDatabase(tx: Queryable): Promise<DatabaseReport> {
  const faults: string[] = [];
  for (const [what, text] of Object.entries(IMPOSSIBLE)) {
    const [row] = await tx.query<Record<string, bigint | string>>({ text });
    const [count] = Object.values(row ?? {});
    if (Number(count) !== 0) faults.push(`${count} ${what}`);
  }
  const [counts] = await tx.query<{ calls: bigint; entries: bigint }>({
    text: `SELECT (SELECT count(*) FROM invocations WHERE state = 'settled') AS calls,
             (SELECT count(*) FROM credit_entries) AS entries`,
  });
  const size = await getLogSize(tx);
  const inRows = await findFault(verifyRows(tx, 0, size));
  if (inRows) faults.push(`in the log, ${inRows}`);
  const root = await getLogRoot(tx, size);
  const [head] = await tx.query<{ size: bigint; root: Buffer; note: string }>({
    text: "SELECT size, root, note FROM log_checkpoints ORDER BY size DESC LIMIT 1",
  });
  if (head && !inRows)
    faults.push(...(await inspectHead(tx, { ...head, size: Number(head.size) }, size, root)));
  return {
    settledCalls: Number(counts?.calls),
    creditEntries: Number(counts?.entries),
    log: { id: await getLogId(tx), size, root, signed: head ? Number(head.size) : null },
    faults,
  };
}

async function inspectHead(
  tx: Queryable,
  head: { readonly size: number; readonly root: Buffer; readonly note: string },
  size: number,
  root: Hex,
): Promise<string[]> {
  const signedRoot: Hex = `0x${head.root.toString("hex")}`;
  if (head.size > size) return [`the log holds ${size} leaves, fewer than the ${head.size} that were signed`];
  const [, statedSize, statedRoot] = head.note.split("\n");
  if (statedSize !== String(head.size) || statedRoot !== head.root.toString("base64"))
    return [`the head of ${head.size} leaves is not what its signed note says`];
  const path = await getConsistencyPath(tx, head.size, size);
  return isConsistent({ first: head.size, second: size, path }, signedRoot, root)
    ? []
    : [`the log does not begin with the ${head.size} leaves that were signed`];
}
