import type { Queryable } from "../src/store/database.js";

const leaves = (kind: string) => `
  (SELECT leaf_index, convert_from(leaf, 'UTF8')::json AS content FROM log_leaves WHERE kind = '${kind}')`;

/** Each counts violations of one rule: a challenge, its nonce, its leaves and its effect on the claim commit together. */
const impossible: Readonly<Record<string, string>> = {
  "claims with several counterexamples": `
    SELECT count(*) FROM (
      SELECT claim_id FROM challenges WHERE resolution = 'counterexample_valid'
      GROUP BY claim_id HAVING count(*) > 1) several`,
  "falsified claims whose counterexample is not the one they name": `
    SELECT count(*) FROM claims c WHERE status = 'falsified' AND NOT EXISTS (
      SELECT FROM challenges h WHERE h.challenge_id = c.challenge_id AND h.claim_id = c.claim_id
        AND h.resolution = 'counterexample_valid')`,
  "counterexamples to claims that are not falsified": `
    SELECT count(*) FROM challenges JOIN claims USING (claim_id)
    WHERE resolution = 'counterexample_valid' AND status <> 'falsified'`,
  "challenges without their leaf": `
    SELECT count(*) FROM challenges h LEFT JOIN ${leaves("challenge")} l ON l.leaf_index = h.log_index
    WHERE l.content ->> 'challengeId' IS DISTINCT FROM h.challenge_id
      OR l.content ->> 'resolution' IS DISTINCT FROM h.resolution`,
  "leaves of challenges that are not there": `
    SELECT count(*) FROM ${leaves("challenge")} l
    WHERE NOT EXISTS (SELECT FROM challenges h WHERE h.log_index = l.leaf_index)`,
  "claims whose end is not one leaf": `
    SELECT count(*) FROM claims c FULL JOIN (
      SELECT content ->> 'claimId' AS claim_id, count(*) AS n, min(content ->> 'status') AS said
      FROM ${leaves("verdict")} l GROUP BY 1) v USING (claim_id)
    WHERE coalesce(v.n, 0) <> (CASE WHEN c.status = 'open' THEN 0 ELSE 1 END)
      OR (v.n > 0 AND v.said IS DISTINCT FROM c.status)`,
  "challenges whose signer has spent no nonce": `
    SELECT count(*) FROM challenges h WHERE NOT EXISTS (
      SELECT FROM action_nonces n WHERE n.wallet = h.wallet AND n.action = 'claim_challenge')`,
};

const RECOUNT = Object.entries(impossible)
  .map(([what, query]) => `SELECT '${what}' AS what, (${query})::bigint AS n`)
  .join("\nUNION ALL ");

/** Returns a sentence for each challenge that was only partly recorded. */
export async function auditChallenges(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ what: string; n: bigint }>({
    text: `SELECT what, n FROM (${RECOUNT}) recount WHERE n <> 0`,
  });
  return rows.map(({ what, n }) => `${n} ${what}`);
}
