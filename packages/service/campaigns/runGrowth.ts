import { packLog } from "../src/log/packLog.js";
import { packFinalCalls } from "../src/payments/packFinalCalls.js";
import { type CampaignWorld, createCampaignWorld } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { attempt, createPayer, prepareCall } from "./paidCalls.js";

export interface GrowthOptions extends CampaignOptions {
  /** Sales of one answer that was sold before. */
  readonly hits: number;
  readonly postgresUrl?: string;
}

export interface GrowthSummary extends CampaignSummary {
  readonly hits: number;
  /** Bytes per hit of each table with its indexes, once it is packed, and of all together. */
  readonly bytesPerHit: Readonly<Record<string, number>>;
  readonly seen: Tally;
}

const MOST_BYTES_PER_HIT = 1_500;
const AT_ONCE = 16;
const WARM_UP = 24;

/** What a sale of a stored answer adds to the database for ever: rows, index entries, log and credits, after `VACUUM FULL`. */
export async function runGrowth({
  seed,
  hits,
  postgresUrl,
  onProgress,
}: GrowthOptions): Promise<GrowthSummary> {
  const world = await createCampaignWorld({ postgresUrl });
  try {
    const service = await world.start();
    const payers = world.devnet.accounts.map(({ privateKey }) => createPayer(privateKey));
    const path = `/api/v1/capabilities/contract.interface/invoke?address=${world.devnet.contracts.plainToken}`;
    const seen = new Tally();
    const buy = async (index: number) => {
      const payer = payers[index % payers.length] as (typeof payers)[number];
      const { status, code } = await attempt(service.url, await prepareCall(service.url, payer, path));
      seen.add(`${status} ${code}`.trim());
    };
    for (let index = 0; index < WARM_UP; index += 1) await buy(index);
    const before = await weigh(world, service.url);
    let begun = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (begun < hits) await buy(begun++);
      }),
    );
    onProgress?.(`growth: ${hits} sold`);
    const after = await weigh(world, service.url);
    const bytesPerHit = Object.fromEntries(
      [...after]
        .map(([table, bytes]) => [table, Math.round((bytes - (before.get(table) ?? 0)) / hits)] as const)
        .filter(([, bytes]) => bytes !== 0)
        .sort(([, one], [, other]) => other - one),
    );
    const all = Object.values(bytesPerHit).reduce((sum, bytes) => sum + bytes, 0);
    const violations = all > MOST_BYTES_PER_HIT ? [`a hit takes ${all} bytes for ever`] : [];
    if (seen.of("200") !== hits + WARM_UP) violations.push(`not all were sold: ${JSON.stringify(seen)}`);
    return { campaign: "growth", seed, hits, bytesPerHit: { ...bytesPerHit, all }, seen, violations };
  } finally {
    await world.close();
  }
}

/** Bytes of each table with its indexes, as if everything that is final had been packed. */
async function weigh({ db }: CampaignWorld, url: string): Promise<ReadonlyMap<string, number>> {
  await (await fetch(`${url}/api/v1/log/checkpoint`)).text();
  await waitUntilFinal(db);
  await packFinalCalls(db, 0);
  await packLog(db, 0);
  await db.query({ text: "VACUUM FULL" });
  const rows = await db.query<{ name: string; bytes: bigint }>({
    text: `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  });
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function waitUntilFinal(db: CampaignWorld["db"]): Promise<void> {
  const endMs = Date.now() + 300_000;
  for (;;) {
    const rows = await db.query({ text: "SELECT FROM unfinal_settlements LIMIT 1" });
    if (rows.length === 0) return;
    if (Date.now() > endMs) throw new Error("settlements did not become final");
    await new Promise((resume) => setTimeout(resume, 1_000));
  }
}
