import { findCapability, proposedCapabilities } from "@assay/capabilities";
import { CAPABILITY_NAME_PATTERN, normalizeCapabilityName, type Opportunities } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";
import { GIVE_WAY } from "./recordMisses.js";

export interface Ask {
  readonly capability: string;
  /** Keyed hash of the caller that asked. */
  readonly asker: Buffer;
}

/** The name that an ask for an unknown capability counts for; undefined for what no capability could be called. */
export function findAskedName(given: string): string | undefined {
  const name = normalizeCapabilityName(given);
  const isName =
    name.length >= 2 && name.length <= 64 && CAPABILITY_NAME_PATTERN.test(name) && !/^0x/.test(name);
  return isName && !findCapability(name) ? name : undefined;
}

/** Adds the asks of one hour, each asker once. */
export async function recordAsks(database: Database, asks: readonly Ask[], hour: Date): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(GIVE_WAY);
    await tx.query({
      name: "asks_record",
      text: `WITH counted AS (
               INSERT INTO demand_askers (subject, hour, asker)
               SELECT capability, $3, asker FROM unnest($1::text[], $2::bytea[]) AS a (capability, asker)
               ORDER BY capability, asker
               ON CONFLICT DO NOTHING RETURNING subject)
             INSERT INTO asked_capabilities AS c (capability, asks)
             SELECT subject, count(*) FROM counted GROUP BY subject ORDER BY subject
             ON CONFLICT (capability) DO UPDATE SET asks = c.asks + excluded.asks, last_asked_at = now()`,
      values: [asks.map(({ capability }) => capability), asks.map(({ asker }) => asker), hour],
    });
  });
}

const MAX_NAMES = 10_000;

/** Keeps the names that are asked for most, and every name that somebody pledged for. Waits for no lock. */
export async function trimAskedCapabilities(database: Database, maxNames = MAX_NAMES): Promise<void> {
  await database.query({
    text: `DELETE FROM asked_capabilities WHERE capability IN (
             SELECT capability FROM asked_capabilities
             WHERE pledges = 0 AND capability IN (
               SELECT capability FROM asked_capabilities
               ORDER BY (pledges + asks) DESC, last_asked_at DESC, capability OFFSET $1)
             FOR UPDATE SKIP LOCKED)`,
    values: [maxNames],
  });
}

interface AskedRow {
  capability: string;
  asks: bigint;
  pledges: bigint;
  pledges_honoured: bigint;
  first_asked_at: Date;
  last_asked_at: Date;
}

/** What was asked or pledged for most, by name. */
export async function listOpportunities(db: Queryable, limit: number): Promise<Opportunities> {
  const rows = await db.query<AskedRow>({
    name: "opportunities_list",
    text: `SELECT * FROM asked_capabilities ORDER BY (pledges + asks) DESC, last_asked_at DESC, capability LIMIT $1`,
    values: [limit],
  });
  return {
    note: "Capabilities by the askers and pledges that named them, each asker once an hour. No wallet and no prompt is kept with a name.",
    opportunities: rows.map((row) => ({
      capability: row.capability,
      status: statusOf(row.capability),
      unknownAsks: Number(row.asks),
      conditionalPledges: Number(row.pledges),
      pledgesHonoured: Number(row.pledges_honoured),
      firstAskedAt: row.first_asked_at.toISOString(),
      lastAskedAt: row.last_asked_at.toISOString(),
      pledgeEndpoint: "/api/v1/demand-pledges",
    })),
  };
}

function statusOf(capability: string): Opportunities["opportunities"][number]["status"] {
  const spec = findCapability(capability);
  if (spec) return spec.status;
  return proposedCapabilities.some(({ pledgeAs }) => pledgeAs === capability) ? "unbuilt" : "unknown";
}
