import type { Tally } from "./commandLine.js";
import type { LedgerCommand } from "./ledgerCommands.js";
import type { LedgerModel, ModelCall } from "./ledgerModel.js";
import { replayLedger } from "./ledgerReplay.js";
import {
  type Attempt,
  beginCalls,
  beginCreditedCall,
  giveUp,
  type LedgerRun,
  makePledge,
  pickFrom,
  publish,
  repeatEntry,
  sendOutcome,
  settle,
} from "./ledgerSteps.js";
import { isCrash, type LedgerProcess } from "./ledgerWorld.js";

/** Transactions of one process at the same time, besides the gathered ones. */
const WORKERS = 2;
const CALLS_AT_ONCE = 40;

type Work = () => Promise<Attempt>;

/** Does all of these commands at the same time, and then the same in the model. Returns how many could be done. */
export async function playRound(
  run: LedgerRun,
  commands: readonly LedgerCommand[],
  outcomes: Tally,
): Promise<number> {
  const { world, model } = run;
  let done = 0;
  for (const command of commands) if (await changeWorld(run, command)) done += 1;
  const [head] = await world.db.query<{ size: bigint }>({ text: "SELECT size FROM log_head" });
  model.startRound();
  const attempts = await attemptAll(run, commands);
  for (const attempt of attempts) {
    const times = attempt.kind === "begun" ? attempt.calls.length : 1;
    outcomes.add(attempt.what, times);
    if (attempt.kind !== "idle") done += times;
  }
  for (const attempt of attempts)
    if (attempt.kind === "begun") for (const call of attempt.calls) model.addCall(call);
  await replayLedger(world.db, model, head?.size ?? 0n);
  for (const attempt of attempts) if (attempt.kind === "givenUp") judgeGivenUp(model, attempt.call);
  for (const attempt of attempts) judgeAttempt(model, attempt);
  await learnPledges(run, attempts);
  await compareWithDatabase(run);
  return done;
}

async function changeWorld({ world, model }: LedgerRun, { kind, target }: LedgerCommand): Promise<boolean> {
  const { db } = world;
  const input = pickFrom(world.inputs, target);
  if (!input) return false;
  if (kind === "expireSeed") {
    const rows = await db.query<{ at: bigint }>({
      text: `WITH aged AS (UPDATE fingerprints SET observed_at = observed_at - interval '31 days' WHERE address = $2),
             expired AS (UPDATE seeds SET fresh_until = least(fresh_until, now()) WHERE input_hash = $1)
             SELECT (extract(epoch FROM now()) * 1000000)::bigint AS at`,
      values: [input.inputHash, input.address],
    });
    model.expire(input.inputHash, input.address, rows[0]?.at ?? 0n);
    return true;
  }
  if (kind === "changeCode" && input.address) {
    await world.changeCode(input.address);
    return true;
  }
  if (kind === "endDay") {
    await db.query({
      text: `UPDATE review_days SET day = day - 1000; UPDATE review_days SET day = day + 999;
             UPDATE outcomes SET reported_at = reported_at - interval '1 day';
             UPDATE credit_entries SET created_at = created_at - interval '1 day' WHERE cause LIKE 'review:%'`,
    });
    model.endDay();
    return true;
  }
  return false;
}

/** Every command at a process of its own choice, as many at a time as the processes do. */
async function attemptAll(run: LedgerRun, commands: readonly LedgerCommand[]): Promise<Attempt[]> {
  const { processes } = run.world;
  const unfinished = run.model.calls.filter(({ state }) => state === "settling" || state === "reserved");
  const lanes = processes.map(() => ({
    alone: [] as Work[],
    gathered: [] as Work[],
    calls: [] as LedgerCommand[],
  }));
  commands.forEach((command, n) => {
    const lane = lanes[n % lanes.length] as (typeof lanes)[number];
    const process = (
      command.crashAt > 0 ? run.world.doomed(command.crashAt) : processes[n % lanes.length]
    ) as LedgerProcess;
    if (command.kind === "call" && command.crashAt === 0) lane.calls.push(command);
    else if (command.kind === "settle") {
      const call = chooseCall(run.model.calls, unfinished, command);
      if (call) lane.gathered.push(() => settle(run, process, call));
    } else {
      const work = planWork(run, process, command, unfinished);
      if (work) lane.alone.push(work);
    }
  });
  const done = lanes.map(async ({ alone, gathered, calls }, n) => {
    const process = processes[n] as LedgerProcess;
    for (let at = 0; at < calls.length; at += CALLS_AT_ONCE)
      alone.push(() => beginCalls(run, process, calls.slice(at, at + CALLS_AT_ONCE)));
    const settled = Promise.all(gathered.map(attempt));
    const workers = Array.from({ length: WORKERS }, async () => {
      const attempts: Attempt[] = [];
      for (let next = alone.pop(); next; next = alone.pop()) attempts.push(await attempt(next));
      return attempts;
    });
    return [...(await settled), ...(await Promise.all(workers)).flat()];
  });
  return (await Promise.all(done)).flat();
}

/** Mostly a call that is under way, sometimes one that ended long ago. */
function chooseCall(
  calls: readonly ModelCall[],
  unfinished: readonly ModelCall[],
  { target, detail }: LedgerCommand,
): ModelCall | undefined {
  return pickFrom(detail % 8 === 0 ? calls : unfinished, target);
}

function planWork(
  run: LedgerRun,
  process: LedgerProcess,
  command: LedgerCommand,
  unfinished: readonly ModelCall[],
): Work | undefined {
  const call = chooseCall(run.model.calls, unfinished, command);
  const settled = pickFrom(
    run.model.calls.filter(({ state }) => state === "settled").slice(-300),
    command.target,
  );
  switch (command.kind) {
    case "call":
      return () => beginCalls(run, process, [command]);
    case "creditedCall":
      return () => beginCreditedCall(run, process, command);
    case "fail":
      return call && (() => giveUp(run, process, call));
    case "outcome":
      return settled && (() => sendOutcome(run, process, settled, command));
    case "pledge":
      return () => makePledge(run, process, command);
    case "publish":
      return () => publish(run, process, command);
    case "repeatEntry":
      return () => repeatEntry(run, process, command);
    default:
      return undefined;
  }
}

async function attempt(work: Work): Promise<Attempt> {
  try {
    return await work();
  } catch (error) {
    if (isCrash(error)) return { kind: "nothing", what: "crashed" };
    return { kind: "nothing", what: `error: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Checks what the log does not show: a refusal has its reason, and an answered effect has happened. */
function judgeAttempt(model: LedgerModel, attempted: Attempt): void {
  if (attempted.what.startsWith("error: ")) model.violations.push(attempted.what);
  if (attempted.kind === "unaffordable") {
    const { wallet, amountMicroUsd } = attempted;
    if (amountMicroUsd <= model.lowOf(`wallet:${wallet}`))
      model.violations.push(`${wallet} was refused ${amountMicroUsd} micro-USD that it had all the time`);
  }
  if (attempted.kind === "settled" && attempted.call.state === "settling")
    model.violations.push(`${attempted.call.invocationId} was answered as settled and is not`);
  if (attempted.kind === "reported" && attempted.isFree)
    model.reviewForNothing(attempted.call, attempted.day);
}

/** Where no credit was held, giving up leaves no trace in the log. */
function judgeGivenUp(model: LedgerModel, call: ModelCall): void {
  if (call.state !== "settling" && call.state !== "reserved") return;
  if (call.hold) model.violations.push(`${call.hold} was not given back`);
  model.release(call);
}

/** Pledges leave no trace in the log. They count for calls that are begun later, so it is enough to learn of them now. */
async function learnPledges({ world, model }: LedgerRun, attempts: readonly Attempt[]): Promise<void> {
  const rows = await world.db.query<{ wallet: string; capability: string; pledged_at: bigint }>({
    text: "SELECT wallet, capability, (extract(epoch FROM pledged_at) * 1000000)::bigint AS pledged_at FROM pledges",
  });
  const made = new Set(
    attempts.flatMap((one) => (one.kind === "pledged" ? [`${one.wallet}:${one.capability}`] : [])),
  );
  for (const { wallet, capability, pledged_at } of rows) {
    if (model.hasPledged(wallet, capability)) continue;
    if (!made.delete(`${wallet}:${capability}`))
      model.violations.push(`${wallet} never pledged ${capability}`);
    model.addPledge(wallet, capability, pledged_at);
  }
  for (const lost of made) model.violations.push(`a pledge is lost: ${lost}`);
}

async function compareWithDatabase({ world: { db }, model }: LedgerRun): Promise<void> {
  const [balances, seeds, states] = await Promise.all([
    db.query<{ account: string; balance_micro_usd: bigint }>({ text: "SELECT * FROM credit_balances" }),
    db.query<{ input_hash: string; wallet: string; cap_micro_usd: bigint; earned_micro_usd: bigint }>({
      text: "SELECT * FROM seeds",
    }),
    db.query<{ invocation_id: string; state: string }>({
      text: "SELECT invocation_id, state FROM invocations",
    }),
  ]);
  const differences = [
    ...differ(
      "balance",
      model.balances,
      new Map(balances.map((row) => [row.account, row.balance_micro_usd])),
    ),
    ...differ(
      "seed",
      new Map(
        [...model.listSeeds()].map(([input, { wallet, cap, earned }]) => [
          input,
          `${wallet} ${earned} of ${cap}`,
        ]),
      ),
      new Map(
        seeds.map((row) => [row.input_hash, `${row.wallet} ${row.earned_micro_usd} of ${row.cap_micro_usd}`]),
      ),
    ),
    ...differ(
      "call",
      new Map(model.calls.map(({ invocationId, state }) => [invocationId, state])),
      new Map(states.map(({ invocation_id, state }) => [invocation_id, state])),
    ),
  ];
  model.violations.push(...differences.slice(0, 10));
}

function differ(
  what: string,
  model: ReadonlyMap<string, unknown>,
  database: ReadonlyMap<string, unknown>,
): string[] {
  const keys = new Set([...model.keys(), ...database.keys()]);
  return [...keys].flatMap((key) =>
    model.get(key) === database.get(key)
      ? []
      : [`${what} ${key} is ${database.get(key)} in the database and ${model.get(key)} in the model`],
  );
}
