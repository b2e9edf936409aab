import type { Queryable } from "../store/database.js";

/**
 * Deletes calls that charged nothing, long after their payment could still have been used: nobody is owed an answer, and the
 * same authorization is refused as expired. Returns how many.
 */
export async function deleteUnchargedCalls(
  db: Queryable,
  afterHours: number,
  limit: number,
): Promise<number> {
  const deleted = await db.query({
    text: `WITH over AS MATERIALIZED (
             SELECT invocation_id FROM invocations
             WHERE state IN ('void', 'failed') AND credit_hold IS NULL
               AND valid_before < extract(epoch FROM now() - $1 * interval '1 hour')::bigint
             LIMIT $2 FOR UPDATE SKIP LOCKED),
           answers AS (DELETE FROM responses USING over WHERE responses.invocation_id = over.invocation_id)
           DELETE FROM invocations USING over WHERE invocations.invocation_id = over.invocation_id
           RETURNING invocations.invocation_id`,
    values: [afterHours, limit],
  });
  return deleted.length;
}
