import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { packageFolder } from "../src/base/packageFolder.js";
import { createCampaignWorld, type ServiceProcess } from "./campaignWorld.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { ATTACKS, type Attack } from "./httpAttackers.js";
import { guardPath, SNAPSHOT_PATH } from "./paidCalls.js";
import { readResidentMb } from "./readResidentMb.js";

export interface HttpAttackOptions extends CampaignOptions {
  /** How long each attack lasts, and each time without one. */
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: number;
  readonly attacks?: readonly Attack[];
  readonly postgresUrl?: string;
}

export interface AttackFigures {
  readonly attack: Attack;
  /** Highest resident memory during the attack over that before it. */
  readonly grownMb: number;
  readonly openedConnections: number;
  readonly closedByService: number;
  /** Milliseconds of honest requests without the attack and with it, in turn: the best of the rounds. */
  readonly p50Ms: readonly [number, number];
  readonly p99Ms: readonly [number, number];
  readonly refused: number;
}

export interface HttpAttackSummary extends CampaignSummary {
  readonly residentAtStartMb: number;
  readonly figures: readonly AttackFigures[];
}

/** A connection that pipelines does the work of many: with more of them it is a flood, which no bound on memory helps against. */
const PIPELINED_EACH = 250;
/** As it was built: a thread loads no TypeScript. */
const ATTACKERS = new URL("dist/campaigns/httpAttackers.js", packageFolder);
const MOST_GROWN_MB = 100;
const MOST_TIMES_SLOWER = 2;

/** What connections that never read, never finish or never begin cost the service, and honest callers meanwhile. */
export async function runHttpAttacks(options: HttpAttackOptions): Promise<HttpAttackSummary> {
  const { seed, onProgress, postgresUrl } = options;
  const world = await createCampaignWorld({ postgresUrl });
  try {
    const service = await world.start();
    const paths = [SNAPSHOT_PATH, guardPath(world.devnet.contracts.plainToken), "/api/v1/health"];
    // What a service needs to get going is not the attack's.
    for (const path of ["/openapi.json", "/llms.txt", "/api/v1/capabilities", "/", ...paths])
      await (await fetch(service.url + path)).arrayBuffer();
    await askHonestly(service, paths, Math.min(options.seconds, 5));
    const residentAtStartMb = await readResidentMb(service);
    const figures: AttackFigures[] = [];
    for (const attack of options.attacks ?? ATTACKS) {
      figures.push(await carryOut(attack, service, paths, options));
      onProgress?.(`http: ${JSON.stringify(figures.at(-1))}`);
    }
    const violations = figures.flatMap(({ attack, grownMb, p99Ms, refused }) => [
      ...(grownMb > MOST_GROWN_MB ? [`${attack}: grown by ${grownMb} MB`] : []),
      ...(p99Ms[1] > MOST_TIMES_SLOWER * p99Ms[0]
        ? [`${attack}: p99 from ${p99Ms[0]} to ${p99Ms[1]} ms`]
        : []),
      ...(refused > 0 ? [`${attack}: ${refused} honest requests were not answered`] : []),
    ]);
    return { campaign: "http", seed, residentAtStartMb, figures, violations };
  } finally {
    await world.close();
  }
}

async function carryOut(
  attack: Attack,
  service: ServiceProcess,
  paths: readonly string[],
  { seconds, connections, rounds }: HttpAttackOptions,
): Promise<AttackFigures> {
  const without: HonestTimes[] = [];
  const during: HonestTimes[] = [];
  let [grownMb, opened, closed] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    without.push(await askHonestly(service, paths, seconds));
    const beforeMb = await readResidentMb(service);
    const shared = attack === "pipelining" ? Math.ceil(connections / PIPELINED_EACH) : connections;
    const plan = { attack, port: Number(new URL(service.url).port), connections: shared };
    const attacker = new Worker(ATTACKERS, { workerData: plan });
    const weighing = setInterval(async () => {
      grownMb = Math.max(grownMb, (await readResidentMb(service)) - beforeMb);
    }, 200);
    during.push(await askHonestly(service, paths, seconds));
    clearInterval(weighing);
    attacker.postMessage("count");
    const [counts] = (await once(attacker, "message")) as [{ opened: number; closed: number }];
    opened += counts.opened;
    closed += counts.closed;
    await attacker.terminate();
  }
  const best = (times: readonly HonestTimes[], share: "p50" | "p99") =>
    Math.min(...times.map((one) => one[share]));
  return {
    attack,
    grownMb,
    openedConnections: opened,
    closedByService: closed,
    p50Ms: [best(without, "p50"), best(during, "p50")],
    p99Ms: [best(without, "p99"), best(during, "p99")],
    refused: [...without, ...during].reduce((sum, one) => sum + one.refused, 0),
  };
}

interface HonestTimes {
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
}

/** A few callers who ask for prices, one request after another, each after a short pause. */
async function askHonestly(
  { url }: ServiceProcess,
  paths: readonly string[],
  seconds: number,
): Promise<HonestTimes> {
  const pool = new Pool(url, { connections: 4 });
  const endMs = Date.now() + seconds * 1_000;
  const times: number[] = [];
  let refused = 0;
  await Promise.all(
    Array.from({ length: 4 }, async (_, caller) => {
      for (let asked = caller; Date.now() < endMs; asked += 1) {
        const startedAt = performance.now();
        const path = paths[asked % paths.length] as string;
        const status = await pool.request({ path, method: "GET" }).then(
          async ({ statusCode, body }) => body.dump().then(() => statusCode),
          () => 0,
        );
        if (status === 402 || status === 200) times.push(performance.now() - startedAt);
        else refused += 1;
        await new Promise((resume) => setTimeout(resume, 10));
      }
    }),
  );
  await pool.close();
  times.sort((one, other) => one - other);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1));
  return { p50: at(0.5), p99: at(0.99), refused };
}
