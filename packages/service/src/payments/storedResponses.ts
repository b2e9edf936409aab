import type { Queryable } from "../store/database.js";

/** The stored answer of a settled call. */
export interface StoredResponse {
  /** Null once a private answer has been deleted. */
  readonly body: Buffer | null;
  readonly isSealed: boolean;
  readonly paymentResponse: string;
}

export async function getStoredResponse(db: Queryable, invocationId: string): Promise<StoredResponse> {
  const [row] = await db.query<{ body: Buffer | null; is_sealed: boolean; payment_response: string }>({
    name: "response_find",
    text: `SELECT r.body, r.is_sealed, r.payment_response FROM responses r JOIN invocations i USING (invocation_id)
           WHERE invocation_id = $1 AND i.state = 'settled'`,
    values: [invocationId],
  });
  if (!row) throw new Error(`invocation ${invocationId} is not settled or has no stored response`);
  return { body: row.body, isSealed: row.is_sealed, paymentResponse: row.payment_response };
}

/** Private answers are deleted an hour after settlement, and at once when nothing was charged for them. */
export async function deletePrivateAnswers(db: Queryable): Promise<void> {
  await db.query({
    text: `UPDATE responses r SET body = NULL FROM invocations i
           WHERE i.invocation_id = r.invocation_id AND r.is_sealed AND r.body IS NOT NULL
             AND (i.state IN ('void', 'failed') OR (i.state = 'settled' AND i.settled_at < now() - interval '1 hour'))`,
  });
}
