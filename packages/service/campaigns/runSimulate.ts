import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { createTrace } from "./simulation/faults.js";
import { playWorld } from "./simulation/playWorld.js";
import { type ProtectionName, protections } from "./simulation/protections.js";

export interface SimulateOptions extends CampaignOptions {
  /** At least so many in all. */
  readonly lives: number;
  readonly livesPerWorld: number;
  /** A control. */
  readonly without?: ProtectionName;
}

export interface SimulateSummary extends CampaignSummary {
  readonly lives: number;
  readonly worlds: number;
  readonly livesPerMinute: number;
  /** Of processor time: on a busy machine it says more than the lives of a minute. */
  readonly cpuMsPerLife: number;
  readonly outcomes: Tally;
  readonly faults: Tally;
  /** `fault at step`: how many different ones happened. */
  readonly pairs: number;
  /** Over everything that happened, in order: the same for the same seed and number of lives. */
  readonly traceHash: string;
  /** Of the first world that broke a rule: play it alone to see the same again. */
  readonly failingSeed: number | null;
  readonly ms: number;
}

/**
 * Plays the code of payments, channels, settlement and reconciliation in simulated worlds. Real are all files of `payments/`, the
 * batches of statements and the facilitator of this process. Simulated are the clock and its timers, random bytes, the network,
 * PostgreSQL at the seam of named statements (`replayOnPostgres.test.ts` compares them), and the chain at the seam of `Chain`. Left out
 * are signatures of payments, of answers and of transactions, what a sale computes and publishes, the market, rate limits, remote
 * facilitators, leases of settling keys, recovery after a restoration, and nodes that lie: other campaigns have those.
 *
 * Seeds of worlds follow each other, so that one world can be played alone.
 */
export async function runSimulate(options: SimulateOptions): Promise<SimulateSummary> {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const coverage = new Tally();
  const protection = options.without && protections[options.without];
  const outcomes = new Tally();
  const violations: string[] = [];
  let worlds = 0;
  let lives = 0;
  const trace = createTrace(false);
  let failingSeed: number | null = null;
  while (lives < options.lives && failingSeed === null) {
    const seed = options.seed + worlds;
    const faultRate = [0, 0.004, 0.012, 0.04][seed % 4] as number;
    const played = await playWorld({
      ...{ seed, coverage, faultRate, lives: options.livesPerWorld, protection },
    });
    worlds += 1;
    if (worlds % 100 === 0) options.onProgress?.(`${lives} lives`);
    lives += options.livesPerWorld;
    trace.note(played.traceHash);
    for (const { committed } of played.world.tables.invocations.rows.values())
      if (committed) outcomes.add(`${committed.channel_no === null ? "" : "voucher "}${committed.state}`);
    for (const { sights } of played.world.purchases)
      for (const { status, reason } of sights) outcomes.add(`seen ${status} ${reason?.split(":")[0] ?? ""}`);
    if (played.violations.length === 0) continue;
    failingSeed = seed;
    violations.push(...played.violations.map((violation) => `${violation} (seed ${seed})`));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const ms = Math.round(performance.now() - startedAt);
  const faults = new Tally();
  for (const [pair, times] of Object.entries(coverage.toJSON()))
    faults.add(pair.split(" at ")[0] as string, times);
  return {
    ...{
      campaign: "simulate",
      seed: options.seed,
      lives,
      worlds,
      livesPerMinute: Math.round((lives * 60_000) / ms),
    },
    ...{
      cpuMsPerLife: Math.round((user + system) / lives) / 1000,
      outcomes,
      faults,
      pairs: Object.keys(coverage.toJSON()).length,
      traceHash: trace.hash(),
      failingSeed,
      violations,
      ms,
    },
  };
}

export interface ControlsSummary extends CampaignSummary {
  /** By protection: after how many lives its absence showed, and how. */
  readonly found: Readonly<Record<string, string>>;
}

/** Takes one protection away at a time. One that nobody misses is a violation. */
export async function runControls(options: SimulateOptions): Promise<ControlsSummary> {
  const found: Record<string, string> = {};
  const violations: string[] = [];
  for (const without of Object.keys(protections) as ProtectionName[]) {
    const { lives, violations: shown } = await runSimulate({ ...options, without });
    if (shown[0] === undefined) violations.push(`nobody misses: ${without}`);
    else found[without] = `after ${lives} lives: ${shown[0]}`;
    options.onProgress?.(`${without}: ${found[without] ?? "not found"}`);
  }
  return { campaign: "simulate controls", seed: options.seed, found, violations };
}
