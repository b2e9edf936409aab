import type { Queryable } from "./database.js";

export interface HealthCheck {
  readonly ok: boolean;
  readonly dependencies: readonly { readonly name: string; readonly ok: boolean }[];
}

/** Days that the page of the service's health shows, and one to spare. */
const KEPT_DAYS = 31;

/**
 * Adds one look at the parts of the service to its minute. Where several processes run, each adds its own. What cannot be written,
 * because the database is away, is missing there, and a missing minute counts as one in which the service was not ready.
 */
export async function recordHealth(db: Queryable, check: () => Promise<HealthCheck>): Promise<void> {
  const { ok, dependencies } = await check();
  const failed = dependencies.filter((one) => !one.ok).map(({ name }) => name);
  await db.query({
    name: "health_record",
    text: `INSERT INTO health_minutes AS h (minute, checks, ready, failed)
           VALUES (date_trunc('minute', now()), 1, $1, $2)
           ON CONFLICT (minute) DO UPDATE SET checks = h.checks + 1, ready = h.ready + excluded.ready,
             failed = ARRAY(SELECT DISTINCT unnest(h.failed || excluded.failed) ORDER BY 1)`,
    values: [ok ? 1 : 0, failed],
  });
}

/** Deletes minutes that no page shows any more. */
export async function deleteOldHealth(db: Queryable): Promise<void> {
  await db.query({
    text: "DELETE FROM health_minutes WHERE minute < now() - $1 * interval '1 day'",
    values: [KEPT_DAYS],
  });
}
