import type { HealthDays } from "@assay/protocol";
import type { Queryable } from "./database.js";

const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MOST_INTERRUPTIONS = 20;

interface DayRow {
  readonly day: string;
  readonly ready: number;
  readonly failed: string[];
}

interface InterruptionRow {
  readonly from: Date;
  readonly to: Date;
  readonly failed: string[];
}

/**
 * How thirty days went, today included. A minute counts as ready by the share of its checks that found everything ready; one
 * without a check counts as not ready. The minute that runs now is left out, and so is the time before the first check ever.
 */
export async function readHealthDays(db: Queryable, now: Date): Promise<HealthDays> {
  const endMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const windowMs = today - (WINDOW_DAYS - 1) * DAY_MS;
  const [first] = await db.query<{ minute: Date | null }>({
    name: "health_first",
    text: "SELECT min(minute) AS minute FROM health_minutes WHERE minute < $1",
    values: [new Date(endMs)],
  });
  const fromMs = Math.max(windowMs, first?.minute?.getTime() ?? endMs);
  const [rows, interruptions] = await Promise.all([
    listDays(db, fromMs, endMs),
    listInterruptions(db, fromMs, endMs),
  ]);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days = Array.from({ length: WINDOW_DAYS }, (_, place) => {
    const startMs = windowMs + place * DAY_MS;
    const day = new Date(startMs).toISOString().slice(0, 10);
    const known = Math.min(startMs + DAY_MS, endMs) - Math.max(startMs, fromMs);
    const row = byDay.get(day);
    const minutes = Math.max(0, known / MINUTE_MS);
    return { day, minutes, readyMinutes: row?.ready ?? 0, failed: row?.failed ?? [] };
  });
  return {
    days,
    interruptions: interruptions.map(({ from, to, failed }) => ({
      from: from.toISOString(),
      to: to.toISOString(),
      failed,
    })),
  };
}

const listDays = (db: Queryable, fromMs: number, endMs: number) =>
  db.query<DayRow>({
    name: "health_days",
    text: `SELECT to_char(minute AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(ready::float / checks) AS ready,
             ARRAY(SELECT DISTINCT part FROM health_minutes m, unnest(m.failed) AS part
               WHERE m.minute >= date_trunc('day', min(h.minute), 'UTC')
                 AND m.minute < date_trunc('day', min(h.minute), 'UTC') + interval '1 day' ORDER BY 1) AS failed
           FROM health_minutes h WHERE minute >= $1 AND minute < $2 GROUP BY 1`,
    values: [new Date(fromMs), new Date(endMs)],
  });

/** Neighbouring minutes that were not ready have one number: that of the ready minutes before them. */
const listInterruptions = (db: Queryable, fromMs: number, endMs: number) =>
  db.query<InterruptionRow>({
    name: "health_interruptions",
    text: `WITH minutes AS (
             SELECT g.minute, coalesce(h.ready, 0) > 0 AS is_ready, coalesce(h.failed, '{}') AS failed
             FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 minute', interval '1 minute') AS g (minute)
             LEFT JOIN health_minutes h ON h.minute = g.minute),
           counted AS (SELECT *, count(*) FILTER (WHERE is_ready) OVER (ORDER BY minute) AS before FROM minutes),
           down AS (
             SELECT min(minute) AS "from", max(minute) + interval '1 minute' AS "to", array_agg(failed::text) AS texts
             FROM counted WHERE NOT is_ready GROUP BY before)
           SELECT "from", "to",
             ARRAY(SELECT DISTINCT part FROM unnest(texts) AS t, unnest(t::text[]) AS part ORDER BY 1) AS failed
           FROM down ORDER BY "from" DESC LIMIT $3`,
    values: [new Date(fromMs), new Date(endMs), MOST_INTERRUPTIONS],
  });
