import { readFileSync, writeFileSync } from "node:fs";
import { packageFolder } from "../src/base/packageFolder.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { createTrace } from "./simulation/faults.js";
import type { WorldResult } from "./simulation/playWorlds.js";
import { type ProtectionName, protections } from "./simulation/protections.js";
import { type SourceProtectionName, sourceProtections } from "./simulation/sourceProtections.js";
import { createThreadPool, type ThreadPool } from "./simulation/threadPool.js";

type Removed = ProtectionName | SourceProtectionName;

export interface SimulateOptions extends CampaignOptions {
  /** At least so many in all. */
  readonly lives: number;
  readonly livesPerWorld: number;
  /** Worlds are played side by side in so many; 0 is the caller's own. What happens does not depend on it. */
  readonly threads: number;
  /** A control. Those that are lines of the code need threads. */
  readonly without?: Removed;
  /** Plays on after a world that breaks a rule. */
  readonly goesOn?: boolean;
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
  /** The longest that a payment was undecided after its validity, to ten seconds; 1,500 is too long. */
  readonly latestDecisionSeconds: number;
  /** Over everything that happened, world by world: the same for the same seed and number of lives, whatever the threads. */
  readonly traceHash: string;
  /** Of worlds that broke a rule: play one alone to see the same again. */
  readonly failingSeeds: readonly number[];
  readonly ms: number;
}

/** Worlds of one task. A world takes some milliseconds. */
const WORLDS_PER_TASK = 10;

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
  const { seed, livesPerWorld, threads, without } = options;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const removal =
    without && without in sourceProtections ? sourceProtections[without as SourceProtectionName] : undefined;
  if (removal && threads === 0) throw new RangeError("a line of the code is left out in a thread of its own");
  const pool = createThreadPool(threads, { removal });
  const results = await playAll(pool, options).finally(() => pool.close());
  const { user, system } = process.cpuUsage(cpuBefore);
  const ms = Math.round(performance.now() - startedAt);
  const [outcomes, faults, pairs, trace] = [new Tally(), new Tally(), new Set<string>(), createTrace(false)];
  for (const result of results) {
    trace.note(result.traceHash);
    for (const [outcome, times] of Object.entries(result.outcomes)) outcomes.add(outcome, times);
    for (const [pair, times] of Object.entries(result.pairs)) {
      pairs.add(pair);
      faults.add(pair.split(" at ")[0] as string, times);
    }
  }
  const broken = results.filter(({ violations }) => violations.length > 0);
  const lives = results.length * livesPerWorld;
  return {
    ...{ campaign: "simulate", seed, lives, worlds: results.length },
    livesPerMinute: Math.round((lives * 60_000) / ms),
    cpuMsPerLife: Math.round((user + system) / lives) / 1000,
    ...{ outcomes, faults, pairs: pairs.size, traceHash: trace.hash() },
    latestDecisionSeconds: Math.max(...results.map((result) => result.longestOpenSeconds)),
    failingSeeds: broken.map((result) => result.seed),
    violations: broken.flatMap((result) =>
      result.violations.map((violation) => `${violation} (seed ${result.seed})`),
    ),
    ms,
  };
}

/** The worlds up to the first that breaks a rule, or all, in the order of their seeds. */
async function playAll(
  pool: ThreadPool,
  { seed, lives, livesPerWorld, without, goesOn, onProgress }: SimulateOptions,
): Promise<WorldResult[]> {
  const worlds = Math.ceil(lives / livesPerWorld);
  const statement = without && without in protections ? (without as ProtectionName) : undefined;
  const results: WorldResult[] = [];
  let next = 0;
  let isOver = false;
  const work = async () => {
    while (next < worlds && !isOver) {
      const from = next;
      next = Math.min(worlds, from + WORLDS_PER_TASK);
      const task = { fromSeed: seed + from, worlds: next - from, livesPerWorld, without: statement, goesOn };
      const played = await pool.play(task);
      results.push(...played);
      isOver ||= !goesOn && played.some(({ violations }) => violations.length > 0);
      if (next % (50 * WORLDS_PER_TASK) === 0) onProgress?.(`${next * livesPerWorld} lives`);
    }
  };
  await Promise.all(Array.from({ length: pool.size }, work));
  results.sort((a, b) => a.seed - b.seed);
  if (goesOn) return results;
  // What another thread played beyond it does not count.
  const first = results.findIndex(({ violations }) => violations.length > 0);
  return first === -1 ? results : results.slice(0, first + 1);
}

export interface ControlsSummary extends CampaignSummary {
  /** By protection: after how many lives its absence showed, and how. */
  readonly found: Readonly<Record<string, string>>;
}

/** Takes one protection away at a time. One that nobody misses is a violation. */
export async function runControls(options: SimulateOptions): Promise<ControlsSummary> {
  const found: Record<string, string> = {};
  const violations: string[] = [];
  for (const without of [...Object.keys(protections), ...Object.keys(sourceProtections)] as Removed[]) {
    const { lives, violations: shown } = await runSimulate({ ...options, without, onProgress: () => {} });
    if (shown[0] === undefined) violations.push(`nobody misses: ${without}`);
    else found[without] = `after ${lives} lives: ${shown[0]}`;
    options.onProgress?.(`${without}: ${found[without] ?? "not found"}`);
  }
  return { campaign: "simulate controls", seed: options.seed, found, violations };
}

/** A world that once broke a rule. */
export interface KeptSeed {
  readonly seed: number;
  readonly lives: number;
  /** What it broke. */
  readonly broke: string;
}

const KEPT = new URL("campaigns/simulation/keptSeeds.json", packageFolder);

/** Tests play them again. */
export const listKeptSeeds = (): KeptSeed[] => JSON.parse(readFileSync(KEPT, "utf8")) as KeptSeed[];

export function keepSeeds(found: readonly KeptSeed[]): void {
  const known = listKeptSeeds();
  const isKnown = ({ seed, lives }: KeptSeed) =>
    known.some((one) => one.seed === seed && one.lives === lives);
  const all = [...known, ...found.filter((one) => !isKnown(one))];
  writeFileSync(KEPT, `${JSON.stringify(all, null, 2)}\n`);
}
