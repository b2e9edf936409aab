import { findCapability } from "@assay/capabilities";
import { type Bounties, type Bounty, type CapabilityPrices, type Hex, NETWORK } from "@assay/protocol";
import type { Queryable } from "../store/database.js";
import { isAttestedWallet } from "./isAttestedWallet.js";
import { IS_SEEDED, RANK } from "./recordMisses.js";
import { describeEconomics } from "./seederEconomics.js";

/** How long a new bounty is shown to attested publishers alone. */
export const HEAD_START_SECONDS = 60;
const PUBLISH_ENDPOINT = "/api/v1/artifacts/publish";

interface BountyQuestion {
  /** Of the capabilities that can be called and whose answers are shared, by id. */
  readonly prices: ReadonlyMap<string, CapabilityPrices>;
  /** The wallet that the caller names. */
  readonly wallet: Hex | undefined;
  /** Whether the caller has signed as that wallet; without it the wallet has no head start. */
  readonly isProven: boolean;
  /** After which a question that one caller alone asked is shown to others. */
  readonly delaySeconds: number;
  readonly limit: number;
}

/** Inputs that were asked for and have no fresh seed, the most wanted first. */
export async function listBounties(
  db: Queryable,
  { prices, wallet, isProven, delaySeconds, limit }: BountyQuestion,
): Promise<Bounties> {
  const attested = wallet !== undefined && isProven && (await isAttestedWallet(db, wallet));
  const capabilityIds = [...prices.keys()];
  const [rows, withheld] = await Promise.all([
    listDemand(db, capabilityIds, delaySeconds, attested ? 0 : HEAD_START_SECONDS, limit),
    wallet === undefined || attested ? 0 : countWithheld(db, capabilityIds, delaySeconds),
  ]);
  return {
    note: "Inputs that callers asked for and that have no fresh answer, each caller counted once an hour. What one caller alone asked for is not shown while it may still act on it. The wallet that answers one first is credited for its reuse by others; credits lower later quotes and cannot be moved.",
    bounties: rows.map((row) => describeBounty(row, prices, attested)),
    ...(wallet !== undefined && {
      passport: {
        attestedPublisher: attested,
        headStartSeconds: HEAD_START_SECONDS,
        withheldByHeadStart: withheld,
        note: describePassport(attested, isProven),
      },
    }),
  };
}

function describePassport(attested: boolean, isProven: boolean): string {
  if (attested) return "Attested: new bounties are shown at once, and the lifetime cap is doubled.";
  return isProven
    ? "New bounties are shown to attested publishers first. A publication about code that passes its audit attests a wallet, until one fails."
    : `New bounties are shown to attested publishers first. The wallet is not proven: sign the action bounty_list with the wallet's address as resource.`;
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

/** Since when a question may be seen by others than its asker. $2 is the delay for a question of one caller. */
const PUBLIC_SINCE = "coalesce(d.listed_at, d.last_miss_at + $2 * interval '1 second')";

function listDemand(
  db: Queryable,
  capabilityIds: readonly string[],
  delaySeconds: number,
  minAgeSeconds: number,
  limit: number,
): Promise<DemandRow[]> {
  return db.query<DemandRow>({
    name: "bounties_list",
    text: `SELECT input_hash, capability_id, input, misses, last_miss_at FROM demand d
           WHERE capability_id = ANY($1) AND ${PUBLIC_SINCE} <= now() - $3 * interval '1 second' AND ${IS_OPEN}
           ORDER BY ${RANK} LIMIT $4`,
    values: [capabilityIds, delaySeconds, minAgeSeconds, limit],
  });
}

async function countWithheld(
  db: Queryable,
  capabilityIds: readonly string[],
  delaySeconds: number,
): Promise<number> {
  const [row] = await db.query<{ withheld: bigint }>({
    name: "bounties_withheld",
    text: `SELECT count(*) AS withheld FROM demand d
           WHERE capability_id = ANY($1) AND ${PUBLIC_SINCE} <= now()
             AND ${PUBLIC_SINCE} > now() - $3 * interval '1 second' AND ${IS_OPEN}`,
    values: [capabilityIds, delaySeconds, HEAD_START_SECONDS],
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
