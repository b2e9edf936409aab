import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { until } from "@assay/chain/testing/until";
import { Pool } from "undici";
import { packageFolder } from "../src/base/packageFolder.js";
import { atService, type ServiceProcess, type ServiceWorld } from "./campaignWorld.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { ATTACKS, type Attack } from "./httpAttackers.js";
import { guardPath, SNAPSHOT_PATH } from "./paidCalls.js";
import { readResidentMb } from "./readResidentMb.js";

export interface HttpAttackOptions extends CampaignOptions {
  /** How long each attack lasts in a round, and the quiet before it. */
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: number;
  readonly attacks?: readonly Attack[];
  readonly postgresUrl?: string;
  readonly shared?: ServiceWorld;
}

export interface AttackFigures {
  readonly attack: Attack;
  /** Highest resident memory during the attack over that before it. */
  readonly grownMb: number;
  readonly openedConnections: number;
  readonly closedByService: number;
  /** Milliseconds of all honest requests without the attack and with it, which took turns. */
  readonly p50Ms: readonly [number, number];
  readonly p99Ms: readonly [number, number];
  readonly honestRequests: readonly [number, number];
  /** Share of one processor that the service was busy. Unlike times, it does not depend on what else the machine does. */
  readonly busy: readonly [number, number];
  readonly refused: number;
  /** Of a caller at the attackers' address, who had a connection before. */
  readonly refusedNeighbour: number;
}

export interface HttpAttackSummary extends CampaignSummary {
  readonly residentAtStartMb: number;
  readonly figures: readonly AttackFigures[];
}

/** As it was built: a thread loads no TypeScript. */
const ATTACKERS = new URL("dist/campaigns/httpAttackers.js", packageFolder);
const MOST_GROWN_MB = 100;
const MOST_TIMES_SLOWER = 2;
const HONEST_ADDRESS = "127.0.0.1";
/** Another one each time, because an address is refused for a while after an attack. On Linux all of 127.0.0.0/8 is this machine. */
const attackersAddress = (attack: Attack, round: number) =>
  `127.0.${round % 256}.${2 + ATTACKS.indexOf(attack)}`;

/** What connections that never read, never finish or never begin cost the service, and honest callers meanwhile. */
export async function runHttpAttacks(options: HttpAttackOptions): Promise<HttpAttackSummary> {
  const { seed, onProgress, postgresUrl } = options;
  return atService(options.shared, { postgresUrl }, async ({ world, service }) => {
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
    const violations = figures.flatMap(({ attack, grownMb, p99Ms, refused, refusedNeighbour }) => [
      ...(grownMb > MOST_GROWN_MB ? [`${attack}: grown by ${grownMb} MB`] : []),
      ...(p99Ms[1] > MOST_TIMES_SLOWER * p99Ms[0]
        ? [`${attack}: p99 from ${p99Ms[0]} to ${p99Ms[1]} ms`]
        : []),
      ...(refused > 0 ? [`${attack}: ${refused} honest requests were not answered`] : []),
      ...(refusedNeighbour > 0
        ? [`${attack}: ${refusedNeighbour} requests of a neighbour were not answered`]
        : []),
    ]);
    return { campaign: "http", seed, residentAtStartMb, figures, violations };
  });
}

async function carryOut(
  attack: Attack,
  service: ServiceProcess,
  paths: readonly string[],
  { seconds, connections, rounds }: HttpAttackOptions,
): Promise<AttackFigures> {
  const without: Honest[] = [];
  const during: Honest[] = [];
  let [grownMb, opened, closed, refusedNeighbour] = [0, 0, 0, 0];
  const port = Number(new URL(service.url).port);
  // Quiet and attack take turns, so that what else the machine does falls on both.
  for (let round = 0; round < rounds; round += 1) {
    const localAddress = attackersAddress(attack, round);
    const neighbour = createCaller(service, localAddress, 1);
    without.push(await askHonestly(service, paths, seconds));
    if ((await ask(neighbour, SNAPSHOT_PATH)) === undefined) refusedNeighbour += 1;
    const beforeMb = await readResidentMb(service);
    const attacker = new Worker(ATTACKERS, { workerData: { attack, port, connections, localAddress } });
    // A thread takes a while to start, on a busy machine longer than a short attack lasts.
    await until(async () => ((await countSockets(attacker)).opened > 1 ? true : undefined));
    const weighing = setInterval(async () => {
      grownMb = Math.max(grownMb, (await readResidentMb(service)) - beforeMb);
    }, 200);
    const asking = setInterval(async () => {
      if ((await ask(neighbour, SNAPSHOT_PATH)) === undefined) refusedNeighbour += 1;
    }, 500);
    during.push(await askHonestly(service, paths, seconds));
    clearInterval(weighing);
    clearInterval(asking);
    const counts = await countSockets(attacker);
    opened += counts.opened;
    closed += counts.closed;
    await attacker.terminate();
    await neighbour.close();
  }
  const [quiet, attacked] = [without, during].map((phases) => phases.flatMap(({ timesMs }) => timesMs));
  return {
    attack,
    grownMb,
    openedConnections: opened,
    closedByService: closed,
    p50Ms: [percentile(quiet, 0.5), percentile(attacked, 0.5)],
    p99Ms: [percentile(quiet, 0.99), percentile(attacked, 0.99)],
    honestRequests: [quiet?.length ?? 0, attacked?.length ?? 0],
    busy: [meanBusy(without), meanBusy(during)],
    refused: [...without, ...during].reduce((sum, one) => sum + one.refused, 0),
    refusedNeighbour,
  };
}

async function countSockets(attacker: Worker): Promise<{ opened: number; closed: number }> {
  attacker.postMessage("count");
  const [counts] = (await once(attacker, "message")) as [{ opened: number; closed: number }];
  return counts;
}

function percentile(timesMs: readonly number[] = [], share: number): number {
  const sorted = timesMs.toSorted((one, other) => one - other);
  return Number((sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1));
}

const meanBusy = (phases: readonly Honest[]): number =>
  Number((phases.reduce((sum, { busy }) => sum + busy, 0) / phases.length).toFixed(2));

/** Milliseconds of processor time that the service has used; Linux counts them in hundredths of a second. */
async function readCpuMs({ child }: ServiceProcess): Promise<number> {
  const text = await readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => "");
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

interface Honest {
  readonly timesMs: readonly number[];
  readonly busy: number;
  readonly refused: number;
}

const createCaller = ({ url }: ServiceProcess, localAddress: string, connections: number) =>
  new Pool(url, { connections, localAddress });

/** Milliseconds until the whole answer was there; undefined where there was none, or another than asked for. */
async function ask(pool: Pool, path: string): Promise<number | undefined> {
  const startedAt = performance.now();
  const status = await pool.request({ path, method: "GET" }).then(
    async ({ statusCode, body }) => body.dump().then(() => statusCode),
    () => 0,
  );
  return status === 402 || status === 200 ? performance.now() - startedAt : undefined;
}

/** A few callers who ask for prices, one request after another, each after a short pause. */
async function askHonestly(
  service: ServiceProcess,
  paths: readonly string[],
  seconds: number,
): Promise<Honest> {
  const pool = createCaller(service, HONEST_ADDRESS, 4);
  const startedAt = performance.now();
  const cpuBeforeMs = await readCpuMs(service);
  const endMs = Date.now() + seconds * 1_000;
  const timesMs: number[] = [];
  let refused = 0;
  await Promise.all(
    Array.from({ length: 4 }, async (_, caller) => {
      for (let asked = caller; Date.now() < endMs; asked += 1) {
        const tookMs = await ask(pool, paths[asked % paths.length] as string);
        if (tookMs === undefined) refused += 1;
        else timesMs.push(tookMs);
        await new Promise((resume) => setTimeout(resume, 10));
      }
    }),
  );
  await pool.close();
  const busy = ((await readCpuMs(service)) - cpuBeforeMs) / (performance.now() - startedAt);
  return { timesMs, busy, refused };
}
