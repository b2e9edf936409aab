import type { Queryable } from "../store/database.js";
import type { Invocation } from "./invocations.js";

/** What is on record about a payer when a new call of it begins. */
export interface PayerStanding {
  /** Whether a call of this payer was settled before. */
  readonly hasPaid: boolean;
  /** Atomic units of its other calls that may still be settled. */
  readonly pendingAmount: bigint;
}

export async function readPayerStanding(
  db: Queryable,
  { invocationId, payer }: Invocation,
): Promise<PayerStanding> {
  const [row] = await db.query<{ has_paid: boolean; pending: string }>({
    name: "payer_standing",
    // What waits for money counts. Of two calls that have just begun, the later one counts the earlier: by the begin of the
    // attempt, which its lease tells, since a payer may begin old calls again in any order.
    text: `SELECT EXISTS (SELECT 1 FROM invocations WHERE payer = $2 AND state = 'settled') AS has_paid,
             (SELECT coalesce(sum(o.amount), 0)::text FROM invocations o, invocations i
              WHERE i.invocation_id = $1 AND o.payer = $2 AND o.state IN ('reserved', 'settling', 'unknown')
                AND (o.state <> 'reserved' OR (o.lease_until, o.invocation_id) < (i.lease_until, i.invocation_id))
             ) AS pending`,
    values: [invocationId, payer],
  });
  return { hasPaid: row?.has_paid ?? false, pendingAmount: BigInt(row?.pending ?? 0) };
}
