import { createRoundChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Database } from "../src/store/database.js";
import { fetchChallenge } from "../test/payer.js";
import { auditBooks } from "./auditBooks.js";
import type { CampaignWorld, ServiceProcess } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { attempt, attemptUntilFinal, createPayer, fetchQuote, type PaidCall, signCall } from "./paidCalls.js";
import { atTwoProcesses, type TwoProcessesOptions } from "./twoProcesses.js";

export interface RacesOptions extends CampaignOptions, TwoProcessesOptions {
  readonly rounds: number;
  readonly racers: number;
  /** The control: quotes are consumed by reading first and writing later. More grants than quotes are expected. */
  readonly withoutProtection?: boolean;
}

export interface RacesSummary extends CampaignSummary {
  readonly withoutProtection: boolean;
  readonly quotes: number;
  readonly racers: number;
  /** Calls that a quote bought. */
  readonly grants: number;
  /** Quotes that ended, on a machine too busy to serve anybody meanwhile, and bought nothing. */
  readonly ended: number;
  readonly charges: number;
  readonly replays: number;
  readonly wonByShared: number;
  readonly seen: Tally;
  readonly ms: number;
}

/**
 * Every quote is paid by many at once, at two processes: half of them carry one and the same
 * payment, the others each a payment of their own. One may win.
 */
export async function runRaces(options: RacesOptions): Promise<RacesSummary> {
  const { seed, rounds, racers } = options;
  const startedAt = performance.now();
  const violations: string[] = [];
  const seen = new Tally();
  const counts = { grants: 0, ended: 0, replays: 0, wonByShared: 0 };
  return atTwoProcesses(options, async ({ world, processes }) => {
    if (options.withoutProtection) await removeProtection(world.db);
    const { charges: chargedBefore } = await auditBooks(world.db, world.devnet);
    for (let round = 1; round <= rounds; round++) {
      const race = await runRace(world, processes, createRoundChoices(seed, round), racers, seen);
      counts.grants += race.grants;
      counts.replays += race.replays;
      if (race.hasEnded) counts.ended++;
      if (race.wonByShared) counts.wonByShared++;
      violations.push(...race.violations.map((violation) => `round ${round}: ${violation}`));
      if (round % 20 === 0 || round === rounds)
        options.onProgress?.(
          `races ${round}/${rounds}: ${counts.grants} grants, ${violations.length} violations`,
        );
    }
    const audit = await auditBooks(world.db, world.devnet);
    violations.push(...audit.violations);
    const charges = audit.charges - chargedBefore;
    const due = rounds - counts.ended;
    if (charges !== due) violations.push(`${charges} charges on chain for ${due} quotes`);
    return {
      campaign: "races",
      seed,
      withoutProtection: options.withoutProtection ?? false,
      quotes: rounds,
      racers,
      ...counts,
      charges,
      seen,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  });
}

async function runRace(
  world: CampaignWorld,
  processes: readonly ServiceProcess[],
  choices: SeededChoices,
  racers: number,
  seen: Tally,
) {
  const violations: string[] = [];
  const urlOf = () => choices.pick(processes).url;
  const payer = createPayer(choices.pick(world.devnet.accounts).privateKey);
  const input: Record<string, string> = choices.chance(0.2)
    ? { capability: "chain.snapshot" }
    : {
        capability: "contract.guard",
        address: choices.chance(0.5)
          ? choices.pick(Object.values(world.devnet.contracts).filter((value) => typeof value === "string"))
          : choices.hex(20),
      };
  const home = urlOf();
  const { quote, path } = await fetchQuote(home, input, payer.address);
  const challenge = await fetchChallenge(home + path);
  const shared = await signCall(payer, path, challenge);
  const own = await Promise.all(
    Array.from({ length: racers - Math.floor(racers / 2) }, () => signCall(payer, path, challenge)),
  );
  const field = choices.shuffle([...Array<PaidCall>(Math.floor(racers / 2)).fill(shared), ...own]);

  // Alternating, so that both processes are always in the race.
  const sights = await Promise.all(
    field.map((call, i) => attempt((processes[i % processes.length] as ServiceProcess).url, call)),
  );
  const winners = new Map<PaidCall, Set<string>>();
  sights.forEach((sight, i) => {
    seen.add(`${sight.status} ${sight.code}`.trim());
    if (sight.status === 200) {
      const call = field[i] as PaidCall;
      winners.set(call, (winners.get(call) ?? new Set()).add(sight.digest as string));
    } else if (sight.status !== 402 && sight.status !== 503)
      violations.push(`a racer saw ${sight.status} ${sight.code}`);
  });
  for (const [call, digests] of winners)
    if (digests.size > 1) violations.push(`${digests.size} different answers to ${describe(call, shared)}`);

  // Racers that got 503 send again. Still only the winner may get an answer.
  let replays = 0;
  for (const call of new Set(field)) {
    const before = winners.get(call);
    const isAnswered = before !== undefined;
    if (!isAnswered && sights.every((sight, i) => field[i] !== call || sight.status === 402)) continue;
    const again = await attemptUntilFinal(urlOf(), call, () => undefined, 20_000);
    if (again.status === 200 && before && !before.has(again.digest as string))
      violations.push("the winner's payment got other bytes when sent again");
    if (isAnswered && again.status !== 200)
      violations.push(`the winner's payment got ${again.status} ${again.code} when sent again`);
    if (!isAnswered && again.status === 200) winners.set(call, new Set([again.digest as string]));
    if (isAnswered) replays++;
  }
  const calls = await world.db.query<{ state: string; failure: string | null }>({
    text: "SELECT state, failure FROM invocations WHERE quote_id = $1",
    values: [quote.quoteId],
  });
  const grants = calls.filter(({ state }) => state === "settled").length;
  // Nobody was charged, and nobody may be any more.
  const hasEnded =
    grants === 0 && Date.parse(quote.expiresAt) < Date.now() && calls.every(({ state }) => state === "void");
  if (grants !== 1 && !hasEnded) {
    const became = calls.map(({ state, failure }) => `${state} (${failure})`).join(", ");
    const saw = [...new Set(sights.map(({ status, code }) => `${status} ${code}`))].join(", ");
    violations.push(`quote granted ${grants} times; calls ${became || "none"}; racers saw ${saw}`);
  }
  if (winners.size !== grants)
    violations.push(`${winners.size} payments were answered, ${grants} calls settled`);
  return { grants, hasEnded, replays, violations, wonByShared: winners.has(shared) };
}

const describe = (call: PaidCall, shared: PaidCall) =>
  call === shared ? "the shared payment" : "one payment";

/**
 * Puts a view in the table's place. The condition is checked when the row is read, and the write
 * a moment later checks nothing: a read-then-write race inside the unchanged service.
 */
async function removeProtection(db: Database): Promise<void> {
  for (const text of [
    "ALTER TABLE quotes RENAME TO quotes_kept",
    "CREATE VIEW quotes AS SELECT * FROM quotes_kept",
    `CREATE FUNCTION write_quote_unasked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_sleep(0.2);
       UPDATE quotes_kept SET invocation_id = NEW.invocation_id WHERE quote_id = OLD.quote_id;
       RETURN NEW;
     END $$`,
    "CREATE TRIGGER write_quote_unasked INSTEAD OF UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION write_quote_unasked()",
  ])
    await db.query({ text });
}
