import { readFile } from "node:fs/promises";
import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { TILE_LEAVES } from "../src/log/logTiles.js";
import { packLog } from "../src/log/packLog.js";
import { packFinalCalls } from "../src/payments/packFinalCalls.js";
import { fetchChallenge } from "../test/payer.js";
import { type CampaignWorld, createCampaignWorld, type ServiceProcess } from "./campaignWorld.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { fillReceipts } from "./fillReceipts.js";
import { attempt } from "./paidCalls.js";
import { createVoucherPayer, type VoucherPayer } from "./voucherPayers.js";

export interface ReceiptsOptions extends CampaignOptions {
  readonly receipts: number;
  /** How often each route is asked of either service. */
  readonly repeats: number;
}

interface RouteCost {
  /** As its caller waits for it. */
  readonly msMedian: number;
  /** Of the service's process. */
  readonly cpuMs: number;
  /** Time in which the database worked for the service, and pages of 8 KiB that it looked at. */
  readonly databaseMs: number;
  readonly pages: number;
}

interface Comparison {
  readonly route: string;
  readonly few: RouteCost;
  readonly many: RouteCost;
  /** `many` in proportion to `few`. */
  readonly ratio: RouteCost;
}

export interface ReceiptsSummary extends CampaignSummary {
  readonly receipts: number;
  readonly databaseGb: number;
  readonly routes: readonly Comparison[];
  readonly ms: number;
}

const FEW = 1_000;
/** How much more a route may cost its caller, the service and the database. Beside others on the machine, a run needs many repeats. */
const MOST = 1.2;
/** Sold in earnest, and copied: the first tile of the log is made of these. */
const SOLD = 32;
/** Asked before anything is measured: the first answers of a process are slow. */
const WARM_UP = 50;
/** A connection that is idle tells the server's statistics after ten seconds. */
const STATISTICS_MS = 11_000;

/** One service with its database. */
interface Side {
  readonly world: CampaignWorld;
  readonly service: ServiceProcess;
  readonly payer: VoucherPayer;
  readonly size: number;
}

/** Asks a service with a thousand receipts and one with many more the same, in turn: no answer may cost more with the history. */
export async function runReceipts(options: ReceiptsOptions): Promise<ReceiptsSummary> {
  const startedAt = performance.now();
  const tell = (line: string) =>
    options.onProgress?.(`receipts: ${line}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const worlds: CampaignWorld[] = [];
  try {
    const sides: Side[] = [];
    for (const receipts of [FEW, options.receipts]) {
      const world = await createCampaignWorld();
      worlds.push(world);
      sides.push(await prepareSide(world, receipts, options.seed, tell));
      tell(`a service with ${receipts} receipts`);
    }
    const [few, many] = sides as [Side, Side];
    const routes: Comparison[] = [];
    for (const route of Object.keys(asks) as Route[]) {
      const compared = await compare(route, few, many, options.repeats);
      routes.push(compared);
      tell(JSON.stringify(compared));
    }
    const [held] = await many.world.db.query<{ bytes: bigint }>({
      text: "SELECT pg_database_size(current_database()) AS bytes",
    });
    return {
      campaign: "receipts",
      seed: options.seed,
      receipts: options.receipts,
      databaseGb: rounded(Number(held?.bytes ?? 0) / 1e9),
      routes,
      violations: routes.flatMap(listExcesses),
      ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
  }
}

const QUESTION = "contract.interface";
const pathOf = ({ world }: Pick<Side, "world">) =>
  `/api/v1/capabilities/${QUESTION}/invoke?address=${world.devnet.contracts.plainToken}`;

/** Sells some answers, packs them as a job does in its time, and copies them. Then a service starts anew. */
async function prepareSide(
  world: CampaignWorld,
  receipts: number,
  seed: number,
  tell: (line: string) => void,
): Promise<Side> {
  const choices = createSeededChoices(seed);
  const [account] = world.devnet.accounts;
  if (!account) throw new Error("the chain has no accounts");
  const payer = createVoucherPayer(world.devnet, account.privateKey, choices, () => 900);
  const first = await world.start();
  for (let sold = 0; sold < SOLD; sold++) await (await prepareHit({ world, service: first, payer }))();
  await fillLastTile(world);
  await (await fetch(`${first.url}/api/v1/log/checkpoint`)).text();
  await world.db.query({ text: "UPDATE channels SET unclaimed_since = NULL" });
  await first.kill();
  await packFinalCalls(world.db, 0);
  await packLog(world.db, 0);
  await fillReceipts(world.db, receipts, tell);
  const [{ size } = { size: 0n }] = await world.db.query<{ size: bigint }>({
    text: "SELECT size FROM log_head",
  });
  return { world, service: await world.start(), payer, size: Number(size) };
}

/** Copies of the last leaf, until the last tile is whole. */
async function fillLastTile({ db }: CampaignWorld): Promise<void> {
  await db.query({
    text: `SELECT log_append(array_agg(kind), array_agg(leaf))
           FROM (SELECT kind, leaf FROM log_leaves ORDER BY leaf_index DESC LIMIT 1) l,
             log_head, generate_series(1, (${TILE_LEAVES} - size % ${TILE_LEAVES}) % ${TILE_LEAVES})
           HAVING count(*) > 0`,
  });
}

/** A voucher for a stored answer, ready to be sent. */
async function prepareHit({ world, service, payer }: Pick<Side, "world" | "service" | "payer">) {
  const path = pathOf({ world });
  const call = await payer.sign(path, await fetchChallenge(service.url + path));
  return async () => {
    const sight = await attempt(service.url, call);
    if (sight.status !== 200) throw new Error(`a hit was answered ${sight.status} ${sight.code}`);
    await payer.learn(call, sight);
  };
}

const read = async ({ service }: Side, path: string): Promise<void> => {
  const response = await fetch(service.url + path);
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 200)}`);
};

/** Somewhere in the history; no two in one neighbourhood. */
const placeOf = ({ size }: Side, turn: number) => TILE_LEAVES + ((turn * 104_729) % (size - TILE_LEAVES));

/** Each returns what is timed, prepared as far as its caller prepares it. */
const asks = {
  quote: async (side: Side, turn: number) => {
    const wallet = `0x${turn.toString(16).padStart(40, "b")}`;
    const { plainToken } = side.world.devnet.contracts;
    return () => read(side, `/api/v1/quotes?capability=${QUESTION}&wallet=${wallet}&address=${plainToken}`);
  },
  hit: (side: Side) => prepareHit(side),
  receipt: async (side: Side, turn: number) => {
    const id = `inv_${placeOf(side, turn).toString(16).padStart(32, "0")}`;
    return () => read(side, `/api/v1/receipts/${id}`);
  },
  proof: async (side: Side, turn: number) => () => read(side, `/api/v1/log/proof/${placeOf(side, turn)}`),
  stats: async (side: Side) => () => read(side, "/api/v1/capabilities/stats"),
};
type Route = keyof typeof asks;

interface Usage {
  readonly cpuMs: number;
  readonly databaseMs: number;
  readonly pages: number;
}

/** Both sides are asked in turn, so that whatever else the machine does slows both. */
async function compare(route: Route, few: Side, many: Side, repeats: number): Promise<Comparison> {
  const sides = [few, many];
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < WARM_UP; turn++)
    for (const side of sides) await (await asks[route](side, turn))();
  await tellStatistics();
  const before = await Promise.all(sides.map(readUsage));
  for (let turn = WARM_UP; turn < WARM_UP + repeats; turn++)
    for (const [at, side] of sides.entries()) {
      const ask = await asks[route](side, turn);
      const startedAt = performance.now();
      await ask();
      (times[at] as number[]).push(performance.now() - startedAt);
    }
  const cpuAfter = await Promise.all(sides.map(({ service }) => readCpuMs(service)));
  await tellStatistics();
  const after = await Promise.all(sides.map(readUsage));
  const [one, other] = sides.map((_, at): RouteCost => {
    const [begun, ended] = [before[at] as Usage, after[at] as Usage];
    return {
      msMedian: rounded(medianOf(times[at] as number[])),
      cpuMs: rounded(((cpuAfter[at] as number) - begun.cpuMs) / repeats),
      databaseMs: rounded((ended.databaseMs - begun.databaseMs) / repeats),
      pages: rounded((ended.pages - begun.pages) / repeats),
    };
  }) as [RouteCost, RouteCost];
  const ratio = Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, rounded(other[name as keyof RouteCost] / value)]),
  ) as unknown as RouteCost;
  return { route, few: one, many: other, ratio };
}

const tellStatistics = () => new Promise((resume) => setTimeout(resume, STATISTICS_MS));

/** What service and database have used so far; the database as far as its statistics tell. */
async function readUsage({ world, service }: Side): Promise<Usage> {
  const cpuMs = await readCpuMs(service);
  const [row] = await world.db.query<{ active_time: number; pages: bigint }>({
    text: `SELECT active_time, blks_hit + blks_read AS pages FROM pg_stat_database WHERE datname = current_database()`,
  });
  return { cpuMs, databaseMs: row?.active_time ?? 0, pages: Number(row?.pages ?? 0) };
}

/** A hundredth of a second each (`CLK_TCK`): user and system time, the fields after the name in brackets. */
async function readCpuMs({ child }: ServiceProcess): Promise<number> {
  const fields = (await readFile(`/proc/${child.pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const rounded = (value: number) => Math.round(value * 100) / 100;
const medianOf = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function listExcesses({ route, ratio }: Comparison): string[] {
  return (["msMedian", "cpuMs", "databaseMs"] as const)
    .filter((name) => ratio[name] > MOST)
    .map((name) => `${route}: ${name} is ${ratio[name]} times what it is with ${FEW} receipts`);
}
