import fc from "fast-check";
import { auditLedger } from "./auditLedger.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { type LedgerCommand, ledgerHistory } from "./ledgerCommands.js";
import { LedgerModel } from "./ledgerModel.js";
import { playRound } from "./ledgerRound.js";
import { createLedgerWorld, type LedgerWorld, type Protection } from "./ledgerWorld.js";

export interface LedgerOptions extends CampaignOptions {
  /** At least so many in all. */
  readonly commands: number;
  /** At most so many in one history. */
  readonly historyLength: number;
  /** So many at the same time. */
  readonly roundLength: number;
  /** How long to look for a shorter history when one breaks the rules. */
  readonly shrinkMs: number;
  readonly postgresUrl?: string;
  /** A control. */
  readonly without?: Protection;
}

export interface LedgerSummary extends CampaignSummary {
  /** Commands that could run: a settlement needs a call. */
  readonly commands: number;
  readonly histories: number;
  readonly entries: number;
  readonly outcomes: Tally;
  /** Seeds that earned all they could. */
  readonly cappedSeeds: number;
  readonly commandsPerSecond: number;
  /** The shortest history found that breaks the rules, as far as it fits here. */
  readonly shrunk: { readonly length: number; readonly begin: readonly LedgerCommand[] } | null;
  readonly ms: number;
}

/**
 * Plays histories of many agents on the real ledger and market, many commands at the same time, some of them
 * aborted halfway. A model in memory does the same in the order of the commits. After each round the books are counted again.
 */
export async function runLedger(options: LedgerOptions): Promise<LedgerSummary> {
  const startedAt = performance.now();
  const tell = (line: string) => options.onProgress?.(`ledger: ${line}`);
  const world = await createLedgerWorld(options);
  const played: Played = { commands: 0, entries: 0, cappedSeeds: 0, outcomes: new Tally() };
  let histories = 0;
  let shrunk: LedgerSummary["shrunk"] = null;
  const violations: string[] = [];
  try {
    const arbitrary = ledgerHistory(options.historyLength);
    const play = (history: readonly LedgerCommand[]) =>
      playHistory(world, history, options.roundLength, played);
    while (played.commands < options.commands && violations.length === 0) {
      const [history = []] = fc.sample(arbitrary, { seed: options.seed + histories, numRuns: 1 });
      violations.push(...(await play(history)));
      histories += 1;
      if (violations.length > 0) shrunk = await shrink(arbitrary, history, play, options.shrinkMs);
      tell(`${played.commands} commands in ${histories} histories`);
    }
    const ms = Math.round(performance.now() - startedAt);
    return {
      campaign: "ledger",
      seed: options.seed,
      histories,
      ...played,
      commandsPerSecond: Math.round(played.commands / (ms / 1000)),
      shrunk,
      violations,
      ms,
    };
  } finally {
    await world.close();
  }
}

interface Played {
  commands: number;
  entries: number;
  cappedSeeds: number;
  readonly outcomes: Tally;
}

/** Looks for a shorter history that also breaks the rules. The search has a time limit, because real races may not repeat. */
async function shrink(
  arbitrary: fc.Arbitrary<LedgerCommand[]>,
  broken: LedgerCommand[],
  play: (history: readonly LedgerCommand[]) => Promise<readonly string[]>,
  patienceMs: number,
): Promise<LedgerSummary["shrunk"]> {
  const endMs = Date.now() + patienceMs;
  const findShorter = async ({ value, context }: { value: LedgerCommand[]; context: unknown }) => {
    for (const candidate of arbitrary.shrink(value, context)) {
      if (Date.now() > endMs) return undefined;
      if ((await play(candidate.value)).length > 0) return candidate;
    }
    return undefined;
  };
  let shortest = broken;
  for (
    let next = await findShorter({ value: broken, context: undefined });
    next;
    next = await findShorter(next)
  )
    shortest = next.value;
  return { length: shortest.length, begin: shortest.slice(0, 8) };
}

/** Returns the violations of the first round that has any. */
async function playHistory(
  world: LedgerWorld,
  commands: readonly LedgerCommand[],
  roundLength: number,
  played: Played,
): Promise<readonly string[]> {
  await world.reset();
  const model = new LedgerModel(world.terms);
  const run = { world, model, invocations: new Map(), nextId: 1 };
  for (let start = 0; start < commands.length; start += roundLength) {
    const round = commands.slice(start, start + roundLength);
    played.commands += await playRound(run, round, played.outcomes);
    const broken = [...model.violations, ...(await auditLedger(world.db))];
    if (broken.length > 0) return broken;
  }
  played.entries += model.entries.size;
  played.cappedSeeds += [...model.listSeeds().values()].filter(({ cap, earned }) => cap === earned).length;
  return [];
}
