import type { Database } from "../store/database.js";

/**
 * Deletes pledges that no call has honoured: of wallets that have never paid soon, of others later. Their names are counted
 * less, and a name that nobody asks for any more is forgotten. Returns how many.
 */
export async function deleteExpiredPledges(
  database: Database,
  { unusedHours, pledgeDays }: { readonly unusedHours: number; readonly pledgeDays: number },
  limit: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const expired = await tx.query<{ capability: string }>({
      text: `DELETE FROM pledges WHERE (wallet, capability) IN (
               SELECT wallet, capability FROM pledges p
               WHERE invocation_id IS NULL AND pledged_at < now() - $1 * interval '1 hour'
                 AND (pledged_at < now() - $2 * interval '1 day'
                   OR NOT EXISTS (SELECT FROM invocations i
                     WHERE hashtext(i.payer) = hashtext(p.wallet) AND i.payer = p.wallet AND i.state = 'settled'))
               LIMIT $3 FOR UPDATE SKIP LOCKED)
             RETURNING capability`,
      values: [unusedHours, pledgeDays, limit],
    });
    const capabilities = expired.map(({ capability }) => capability);
    await tx.query({
      text: `WITH over AS MATERIALIZED (
               SELECT a.capability, n.pledges FROM asked_capabilities a
               JOIN (SELECT capability, count(*) AS pledges FROM unnest($1::text[]) AS u (capability) GROUP BY 1) n USING (capability)
               ORDER BY a.capability FOR UPDATE OF a)
             UPDATE asked_capabilities a SET pledges = greatest(a.pledges - over.pledges, 0) FROM over
             WHERE a.capability = over.capability`,
      values: [capabilities],
    });
    await tx.query({
      text: `DELETE FROM asked_capabilities
             WHERE capability = ANY($1) AND pledges = 0 AND asks = 0 AND pledges_honoured = 0`,
      values: [capabilities],
    });
    return expired.length;
  });
}
