import type { VerdictMix } from "@assay/protocol";
import type { Queryable } from "../store/database.js";

const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;

interface MixRow {
  readonly is_simulated: boolean;
  readonly allow: number;
  readonly review: number;
  readonly block: number;
}

/** Verdicts of shared answers in the last thirty days, today included, from the rollups of days. */
export async function readVerdictMix(db: Queryable, now: Date): Promise<VerdictMix> {
  const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  const rows = await db.query<MixRow>({
    name: "stats_verdicts",
    text: `SELECT is_simulated, sum(allowed)::float AS allow, sum(reviewed)::float AS review, sum(blocked)::float AS block
           FROM stats_days WHERE day BETWEEN $1 AND $2 GROUP BY is_simulated`,
    values: [dayOf(now.getTime() - (WINDOW_DAYS - 1) * DAY_MS), dayOf(now.getTime())],
  });
  const mixOf = (isSimulated: boolean) => {
    const { allow = 0, review = 0, block = 0 } = rows.find((row) => row.is_simulated === isSimulated) ?? {};
    return { allow, review, block };
  };
  return { agents: mixOf(false), simulated: mixOf(true) };
}
