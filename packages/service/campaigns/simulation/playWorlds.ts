import { Tally } from "../commandLine.js";
import { playWorld } from "./playWorld.js";
import { type ProtectionName, protections } from "./protections.js";

/** Worlds whose seeds follow each other. */
export interface WorldsTask {
  readonly fromSeed: number;
  readonly worlds: number;
  readonly livesPerWorld: number;
  /** A control, where what is taken away is a statement of the database. */
  readonly without?: ProtectionName | undefined;
  /** Plays on after a world that breaks a rule. */
  readonly goesOn?: boolean | undefined;
}

/** What one world came to, in a form that one thread can send to another. */
export interface WorldResult {
  readonly seed: number;
  readonly traceHash: string;
  readonly violations: readonly string[];
  /** States of calls, and what buyers saw. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** `fault at step` → times. */
  readonly pairs: Readonly<Record<string, number>>;
  readonly longestOpenSeconds: number;
}

/** How often something goes wrong, by the world's seed. */
const FAULT_RATES = [0, 0.004, 0.012, 0.04];
export const faultRateOf = (seed: number): number => FAULT_RATES[seed % FAULT_RATES.length] as number;

/** Plays the worlds one after another, up to the first that breaks a rule, or all. */
export async function playWorlds(task: WorldsTask): Promise<WorldResult[]> {
  const { fromSeed, worlds, livesPerWorld: lives, without, goesOn } = task;
  const results: WorldResult[] = [];
  for (let seed = fromSeed; seed < fromSeed + worlds; seed++) {
    const coverage = new Tally();
    const protection = without && protections[without];
    const played = await playWorld({ seed, coverage, faultRate: faultRateOf(seed), lives, protection });
    const outcomes = new Tally();
    for (const { committed } of played.world.tables.invocations.rows.values())
      if (committed) outcomes.add(`${committed.channel_no === null ? "" : "voucher "}${committed.state}`);
    for (const { sights } of played.world.purchases)
      for (const { status, reason } of sights) outcomes.add(`seen ${status} ${reason?.split(":")[0] ?? ""}`);
    results.push({
      ...{ seed, traceHash: played.traceHash, violations: played.violations },
      ...{ outcomes: outcomes.toJSON(), pairs: coverage.toJSON() },
      longestOpenSeconds: played.world.longestOpenSeconds,
    });
    if (played.violations.length > 0 && !goesOn) break;
  }
  return results;
}
