import { findCapability } from "@assay/capabilities";
import { type Bounties, type Bounty, type CapabilityPrices, type Hex, NETWORK } from "@assay/protocol";
import type { Queryable } from "../store/database.js";
import { isAttestedWallet } from "./isAttestedWallet.js";
import { IS_SEEDED } from "./recordMisses.js";
import { describeEconomics } from "./seederEconomics.js";

/** How long a new bounty is shown to attested publishers alone. */
export const HEAD_START_SECONDS = 60;
const PUBLISH_ENDPOINT = "/api/v1/artifacts/publish";

interface BountyQuestion {
  /** Of the capabilities that can be called and whose answers are shared, by id. */
  readonly prices: ReadonlyMap<string, CapabilityPrices>;
  /** The wallet that the caller names, without proof: everything shown to it is public. */
  readonly wallet: Hex | undefined;
  readonly limit: number;
}

/** Inputs that were asked for and have no fresh seed, the most wanted first. */
export async function listBounties(
  db: Queryable,
  { prices, wallet, limit }: BountyQuestion,
): Promise<Bounties> {
  const attested = wallet !== undefined && (await isAttestedWallet(db, wallet));
  const capabilityIds = [...prices.keys()];
  const [rows, withheld] = await Promise.all([
    listDemand(db, capabilityIds, attested ? 0 : HEAD_START_SECONDS, limit),
    wallet === undefined || attested ? 0 : countWithheld(db, capabilityIds),
  ]);
  return {
    note: "Inputs that callers asked for and that have no fresh answer, each caller counted once an hour. The wallet that answers one first is credited for its reuse by others; credits lower later quotes and cannot be moved.",
    bounties: rows.map((row) => describeBounty(row, prices, attested)),
    ...(wallet !== undefined && {
      passport: {
        attestedPublisher: attested,
        headStartSeconds: HEAD_START_SECONDS,
        withheldByHeadStart: withheld,
        note: attested
          ? "Attested: new bounties are shown at once, and the lifetime cap is doubled."
          : "New bounties are shown to attested publishers first. A publication that passes its audit attests a wallet, until one fails.",
      },
    }),
  };
}

interface DemandRow {
  input_hash: string;
  capability_id: string;
  input: Record<string, unknown>;
  misses: bigint;
  last_miss_at: Date;
}

/** A seed may have come while a miss was still on its way to the table. */
const IS_OPEN = `${IS_SEEDED} IS NOT TRUE`;

function listDemand(
  db: Queryable,
  capabilityIds: readonly string[],
  minAgeSeconds: number,
  limit: number,
): Promise<DemandRow[]> {
  return db.query<DemandRow>({
    name: "bounties_list",
    text: `SELECT input_hash, capability_id, input, misses, last_miss_at FROM demand d
           WHERE capability_id = ANY($1) AND first_miss_at <= now() - $2 * interval '1 second' AND ${IS_OPEN}
           ORDER BY misses DESC, last_miss_at DESC, input_hash LIMIT $3`,
    values: [capabilityIds, minAgeSeconds, limit],
  });
}

async function countWithheld(db: Queryable, capabilityIds: readonly string[]): Promise<number> {
  const [row] = await db.query<{ withheld: bigint }>({
    name: "bounties_withheld",
    text: `SELECT count(*) AS withheld FROM demand d
           WHERE capability_id = ANY($1) AND first_miss_at > now() - $2 * interval '1 second' AND ${IS_OPEN}`,
    values: [capabilityIds, HEAD_START_SECONDS],
  });
  return Number(row?.withheld);
}

function describeBounty(row: DemandRow, prices: BountyQuestion["prices"], attested: boolean): Bounty {
  // A fingerprint can be computed by anyone and audited by us; any other answer is ours to compute, and theirs to buy.
  const isPublishable = findCapability(row.capability_id)?.isPublishable === true;
  return {
    capabilityId: row.capability_id,
    network: NETWORK,
    inputHash: row.input_hash,
    input: row.input,
    misses: Number(row.misses),
    lastMissAt: row.last_miss_at.toISOString(),
    seederEconomics: describeEconomics(prices.get(row.capability_id) as CapabilityPrices, attested),
    fulfillment: isPublishable ? "publish" : "first_settled_invocation",
    fulfillmentEndpoint: isPublishable
      ? PUBLISH_ENDPOINT
      : `/api/v1/capabilities/${row.capability_id}/invoke`,
    publishEndpoint: PUBLISH_ENDPOINT,
  };
}
