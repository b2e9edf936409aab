import type { Database } from "../store/database.js";
import type { Invocation } from "./invocations.js";

/** What is on record about a payer when a new call of it begins. */
export interface PayerRecord {
  /** Whether a call of this payer was settled before. */
  readonly hasPaid: boolean;
  /** Atomic units of its other calls that may still be settled. */
  readonly pendingAmount: bigint;
}

/** How long a payer that has paid is remembered: for so long, one whose only payment the chain takes back meanwhile still counts. */
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 10_000;
const lately = new WeakMap<Database, Map<string, number>>();

/** Whether this process saw lately that the payer has paid before. Saves the wait for its record. */
export function hasPaidLately(
  database: Database,
  { payer }: Pick<Invocation, "payer">,
  now = Date.now(),
): boolean {
  const seenAtMs = lately.get(database)?.get(payer);
  return seenAtMs !== undefined && now - seenAtMs < REMEMBERED_MS;
}

function rememberPaid(database: Database, payer: string): void {
  const payers = lately.get(database) ?? new Map<string, number>();
  lately.set(database, payers);
  payers.delete(payer);
  payers.set(payer, Date.now());
  if (payers.size > MAX_REMEMBERED) payers.delete(payers.keys().next().value as string);
}

/**
 * Read after the reservation has committed. Pending are the payer's calls that wait for settlement, and its reserved calls whose
 * attempt began before this one. The lease shows when an attempt began; when a call was created does not, because a payer may
 * retry old calls in any order. Calls that were reserved together share one query, so their requests to the chain leave together.
 * The plan depends on nothing in the list, so that PostgreSQL keeps it: planning took as long as the query.
 */
export async function readPayerRecord(
  database: Database,
  { invocationId, payer }: Pick<Invocation, "invocationId" | "payer">,
): Promise<PayerRecord> {
  const record = await database.batch("payerRecord", invocationId, async (ids) => {
    const rows = await database.query<{ invocation_id: string; has_paid: boolean; pending: string }>({
      name: "payer_record",
      text: `SELECT i.invocation_id,
               coalesce((SELECT true FROM invocations p
                 WHERE hashtext(p.payer) = hashtext(i.payer) AND p.payer = i.payer AND p.state = 'settled' LIMIT 1), false) AS has_paid,
               (SELECT coalesce(sum(o.amount), 0)::text FROM invocations o
                WHERE o.payer = i.payer AND o.state IN ('reserved', 'settling', 'unknown')
                  AND (o.state <> 'reserved' OR (o.lease_until, o.invocation_id) < (i.lease_until, i.invocation_id))
               ) AS pending
             FROM json_array_elements_text($1) AS asked (id)
             CROSS JOIN LATERAL (
               SELECT invocation_id, payer, lease_until FROM invocations WHERE invocation_id = asked.id LIMIT 1) i`,
      values: [JSON.stringify(ids)],
    });
    const byId = new Map(rows.map((row) => [row.invocation_id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      return { hasPaid: row?.has_paid ?? false, pendingAmount: BigInt(row?.pending ?? 0) };
    });
  });
  if (record.hasPaid) rememberPaid(database, payer);
  return record;
}
