import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { Pool } from "undici";
import { atService, type CampaignWorld, type ServiceProcess, type ServiceWorld } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { attempt, createPayer, guardPath, prepareCall, SNAPSHOT_PATH } from "./paidCalls.js";
import { readResidentMb } from "./readResidentMb.js";

export interface MemoryOptions extends CampaignOptions {
  readonly paidCalls: number;
  readonly unpaidCalls: number;
  /** The unpaid part ends after so long, whatever it reached. */
  readonly unpaidSeconds: number;
  readonly postgresUrl?: string;
  /** A service that has just started. */
  readonly shared?: ServiceWorld;
}

export interface Checkpoint {
  readonly calls: number;
  readonly residentMb: number;
  readonly seconds: number;
}

export interface MemorySummary extends CampaignSummary {
  readonly residentLimitMb: number;
  readonly residentAtStartMb: number;
  readonly paid: readonly Checkpoint[];
  readonly unpaid: readonly Checkpoint[];
  readonly seen: Tally;
  readonly ms: number;
}

const RESIDENT_LIMIT_MB = 512;
const CHECKPOINTS = 8;
const PAYERS = 24;

/** Resident memory of one service process while it sells, and while it is only asked for prices. */
export async function runMemory(options: MemoryOptions): Promise<MemorySummary> {
  const startedAt = performance.now();
  return atService(options.shared, { postgresUrl: options.postgresUrl }, async ({ world, service }) => {
    const seen = new Tally();
    const residentAtStartMb = await readResidentMb(service);
    options.onProgress?.(`memory: ${residentAtStartMb} MB at start`);
    const paid = await sell(options, world, service, seen);
    const unpaid = await tellPrices(options, world, service, seen);
    const violations: string[] = [];
    for (const { calls, residentMb } of [...paid, ...unpaid])
      if (residentMb > RESIDENT_LIMIT_MB) violations.push(`${residentMb} MB after ${calls} calls`);
    for (const what of Object.keys(seen.toJSON()))
      if (what !== "paid 200" && what !== "unpaid 402")
        violations.push(`${seen.of(what)} times seen: ${what}`);
    return {
      campaign: "memory",
      seed: options.seed,
      residentLimitMb: RESIDENT_LIMIT_MB,
      residentAtStartMb,
      paid,
      unpaid,
      seen,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  });
}

/** Calls `work` so many times, several at once, and weighs the service at even distances. */
async function repeat(
  service: ServiceProcess,
  calls: number,
  atOnce: number,
  endMs: number,
  work: (index: number) => Promise<void>,
  onCheckpoint: (checkpoint: Checkpoint) => void,
): Promise<Checkpoint[]> {
  const startedAt = performance.now();
  const checkpoints: Checkpoint[] = [];
  const step = Math.max(1, Math.floor(calls / CHECKPOINTS));
  let begun = 0;
  let done = 0;
  const weigh = async (at: number) => {
    const residentMb = await readResidentMb(service);
    const checkpoint = { calls: at, residentMb, seconds: Math.round((performance.now() - startedAt) / 1000) };
    checkpoints.push(checkpoint);
    onCheckpoint(checkpoint);
  };
  await Promise.all(
    Array.from({ length: Math.min(atOnce, calls) }, async () => {
      while (begun < calls && Date.now() < endMs) {
        await work(begun++);
        done++;
        if (done % step === 0) await weigh(done);
      }
    }),
  );
  if (done % step !== 0) await weigh(done);
  return checkpoints;
}

function sell(options: MemoryOptions, world: CampaignWorld, service: ServiceProcess, seen: Tally) {
  const choices = createSeededChoices(options.seed);
  const payers = world.devnet.accounts.map(({ privateKey }) => createPayer(privateKey));
  const contracts = Object.values(world.devnet.contracts).filter((value) => typeof value === "string");
  return repeat(
    service,
    options.paidCalls,
    PAYERS,
    Number.POSITIVE_INFINITY,
    async () => {
      const path = choices.chance(0.5) ? SNAPSHOT_PATH : guardPath(choices.pick(contracts));
      const payer = choices.pick(payers);
      const buy = async () => attempt(service.url, await prepareCall(service.url, payer, path));
      const first = await buy();
      // A price ends with the stored answer that it is for, and a slow machine may be too late to pay it.
      const { status, code } = first.code === "ticket_expired" ? await buy() : first;
      seen.add(`paid ${status} ${code}`.trim());
    },
    ({ calls, residentMb, seconds }) =>
      options.onProgress?.(`memory: ${residentMb} MB after ${calls} paid calls, ${seconds} s`),
  );
}

/** Half of them ask what was just asked, half ask about an address nobody asked about. */
async function tellPrices(
  options: MemoryOptions,
  world: CampaignWorld,
  service: ServiceProcess,
  seen: Tally,
) {
  const choices = createSeededChoices(options.seed + 1);
  const pool = new Pool(service.url, { connections: 16, pipelining: 4 });
  const repeated = guardPath(world.devnet.contracts.plainToken);
  try {
    return await repeat(
      service,
      options.unpaidCalls,
      64,
      Date.now() + options.unpaidSeconds * 1000,
      async (index) => {
        const path = index % 2 === 0 ? repeated : guardPath(choices.hex(20));
        const { statusCode, body } = await pool.request({ path, method: "GET" });
        await body.dump();
        seen.add(`unpaid ${statusCode}`);
      },
      ({ calls, residentMb, seconds }) =>
        options.onProgress?.(`memory: ${residentMb} MB after ${calls} unpaid calls, ${seconds} s`),
    );
  } finally {
    await pool.close();
  }
}
