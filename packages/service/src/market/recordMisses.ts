import type { CapabilityInput } from "@assay/capabilities";
import type { Database } from "../store/database.js";

export interface Miss {
  readonly capabilityId: string;
  readonly input: CapabilityInput;
  readonly inputHash: string;
  /** Keyed hash of the caller that asked. */
  readonly asker: Buffer;
}

/**
 * Whether the input of a row called `d` has a fresh seed; null where it never had one. A subquery makes one index lookup
 * per row; as EXISTS it would be planned as a join that reads every seed.
 */
export const IS_SEEDED = "(SELECT s.fresh_until > now() FROM seeds s WHERE s.input_hash = d.input_hash)";

/** What several callers want comes before what one caller asks for again and again. */
export const RANK = "(listed_at IS NULL), misses DESC, last_miss_at DESC, input_hash";

/** Shorter than the wait before a deadlock is detected: settlements and pledges go first, and these counts are dropped. */
export const GIVE_WAY = { text: "SET LOCAL lock_timeout = '200ms'" };

/**
 * Adds the misses of one hour, each asker once; inputs that have a fresh seed already are left out. An input is listed from the
 * moment at which two askers of one hour, or a sale, have made it more than one caller's question.
 */
export async function recordMisses(database: Database, misses: readonly Miss[], hour: Date): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(GIVE_WAY);
    // Rows are taken in one order everywhere, so that two processes wait for each other in one direction only.
    await tx.query({
      name: "demand_record",
      text: `WITH asked AS MATERIALIZED (
               SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[])
                 AS d (input_hash, capability_id, input, asker)
               WHERE ${IS_SEEDED} IS NOT TRUE),
             counted AS (
               INSERT INTO demand_askers (subject, hour, asker)
               SELECT input_hash, $5, asker FROM asked ORDER BY input_hash, asker
               ON CONFLICT DO NOTHING RETURNING subject),
             questions AS (
               SELECT DISTINCT ON (input_hash) input_hash, capability_id, input FROM asked ORDER BY input_hash)
             INSERT INTO demand AS d (input_hash, capability_id, input, misses, hour, askers, listed_at)
             SELECT input_hash, capability_id, input::json, misses, $5, misses, CASE WHEN misses > 1 OR EXISTS (
               SELECT FROM artifacts a WHERE a.input_hash = questions.input_hash) THEN now() END
             FROM (SELECT subject, count(*) AS misses FROM counted GROUP BY subject) AS news
             JOIN questions ON input_hash = subject
             ORDER BY input_hash
             ON CONFLICT (input_hash) DO UPDATE SET misses = d.misses + excluded.misses, last_miss_at = now(),
               hour = excluded.hour,
               askers = CASE WHEN d.hour = excluded.hour THEN d.askers ELSE 0 END + excluded.askers,
               listed_at = coalesce(d.listed_at, excluded.listed_at,
                 CASE WHEN d.hour = excluded.hour AND d.askers + excluded.askers > 1 THEN now() END)`,
      values: [
        misses.map(({ inputHash }) => inputHash),
        misses.map(({ capabilityId }) => capabilityId),
        misses.map(({ input }) => JSON.stringify(input)),
        misses.map(({ asker }) => asker),
        hour,
      ],
    });
  });
}

const MAX_INPUTS = 10_000;

/**
 * Keeps the inputs that are asked for most and have no fresh seed. Rows that another transaction holds are left for the
 * next time, so this waits for no lock.
 */
export async function trimDemand(database: Database, maxInputs = MAX_INPUTS): Promise<void> {
  await database.query({ text: "DELETE FROM demand_askers WHERE hour < now() - interval '2 hours'" });
  await database.query({
    text: `DELETE FROM demand WHERE input_hash IN (
             SELECT input_hash FROM demand d
             WHERE last_miss_at < now() - interval '7 days'
                OR ${IS_SEEDED}
                OR input_hash IN (
                     SELECT input_hash FROM demand ORDER BY ${RANK} OFFSET $1)
             FOR UPDATE SKIP LOCKED)`,
    values: [maxInputs],
  });
}
