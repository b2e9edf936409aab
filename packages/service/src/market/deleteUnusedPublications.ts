import type { Database } from "../store/database.js";

/**
 * Deletes publications that nobody paid to use in time, with the seeder's slot, the fingerprint that nothing else has seen
 * since, and the record of wallets of which nothing else is known. Waits for no lock: settlements go first. Returns how many.
 */
export async function deleteUnusedPublications(
  database: Database,
  afterHours: number,
  limit: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const unused = await tx.query<{ wallet: string; address: string; published_at: string }>({
      text: `DELETE FROM publications WHERE publication_id IN (
               SELECT publication_id FROM publications
               WHERE log_index IS NULL AND published_at < now() - $1 * interval '1 hour'
               ORDER BY publication_id LIMIT $2 FOR UPDATE SKIP LOCKED)
             RETURNING wallet, address, published_at::text`,
      values: [afterHours, limit],
    });
    if (unused.length === 0) return 0;
    const wallets = [...new Set(unused.map(({ wallet }) => wallet))];
    // Slot and fingerprint were written in the transaction of their publication, so they bear the same time.
    await tx.query({
      text: `DELETE FROM seeds WHERE input_hash IN (
               SELECT input_hash FROM seeds
               WHERE source = 'publication' AND earned_micro_usd = 0 AND seeded_at < now() - $1 * interval '1 hour'
                 AND fresh_until <= now()
               ORDER BY input_hash LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      values: [afterHours, limit],
    });
    await tx.query({
      text: `DELETE FROM publishers WHERE wallet IN (
               SELECT wallet FROM publishers p
               WHERE wallet = ANY($1) AND dividends = 0 AND reviews = 0 AND seeded = passed
                 AND NOT EXISTS (SELECT FROM publications o WHERE o.wallet = p.wallet)
               FOR UPDATE SKIP LOCKED)`,
      values: [wallets],
    });
    await tx.query({
      text: `DELETE FROM fingerprints WHERE address IN (
               SELECT f.address FROM fingerprints f
               JOIN unnest($1::text[], $2::timestamptz[]) AS u (address, published_at)
                 ON f.address = u.address AND f.observed_at = u.published_at
               FOR UPDATE OF f SKIP LOCKED)`,
      values: [unused.map(({ address }) => address), unused.map(({ published_at }) => published_at)],
    });
    return unused.length;
  });
}
