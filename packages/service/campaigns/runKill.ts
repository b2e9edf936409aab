import {
  createRoundChoices,
  createSeededChoices,
  type SeededChoices,
} from "@assay/chain/testing/seededChoices";
import { type Failpoint, paidCallFailpoints } from "../src/base/failpoints.js";
import { type Audit, auditBooks } from "./auditBooks.js";
import {
  type CampaignWorld,
  createCampaignWorld,
  EndedAtStartError,
  type ServiceProcess,
} from "./campaignWorld.js";
import { type ChainActions, createChainActions } from "./chainActions.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { type Assault, planAssault, prepareCalls, type VictimCall } from "./killPlan.js";
import { attempt, attemptUntilFinal, isFinal, keyOf, type Sight } from "./paidCalls.js";
import { runRounds } from "./runRounds.js";
import { type ScriptedFacilitator, startScriptedFacilitator } from "./scriptedFacilitator.js";

export interface KillOptions extends CampaignOptions {
  /** Kills at a failpoint to reach. */
  readonly kills: number;
  readonly postgresUrl?: string;
  /** The control: the bytes that a payment buys are not stored before it. */
  readonly withoutBytes?: boolean;
  /** Whether some authorizations are left to expire, which takes some twenty seconds at the end. */
  readonly withExpiry: boolean;
  /** Processes that die before one takes over from all of them; one unless stated. */
  readonly together?: number;
}

export interface KillSummary extends CampaignSummary {
  readonly kills: number;
  readonly killsByFailpoint: Tally;
  /** Rounds in which the failpoint was not reached; the process was killed when it had answered. */
  readonly missed: number;
  /** Who took over: the process started again, or another one that was there all along. */
  readonly takenOverBy: Tally;
  readonly calls: number;
  /** How each kind of call ended. */
  readonly ended: Tally;
  /** Every answer on the way. */
  readonly seen: Tally;
  /** What ended calls whose payment nobody had sent. */
  readonly undelivered: Tally;
  readonly acknowledged: number;
  readonly acknowledgedLost: number;
  readonly chargedAfter402: number;
  readonly settled: number;
  readonly charges: number;
  readonly byState: Record<string, number>;
  readonly slowestReadyMs: number;
  readonly ms: number;
}

/** A call until its end. */
interface Victim extends VictimCall {
  final: Sight | undefined;
}

/**
 * Kills the service at every moment it names, with several calls under way, lets another process
 * take over, has the callers retry, and compares the books with the chain.
 */
export async function runKill(options: KillOptions): Promise<KillSummary> {
  const startedAt = performance.now();
  const world = await createCampaignWorld(options);
  const facilitator = await startScriptedFacilitator(world.devnet.rpcUrl, keyOfAccount(world, "judy"));
  try {
    const campaign = createKillCampaign(options, world, facilitator);
    await runRounds(campaign, options);
    return await campaign.conclude(startedAt);
  } finally {
    await world.close();
    await facilitator.close();
  }
}

function keyOfAccount(world: CampaignWorld, name: string) {
  const account = world.devnet.accounts.find((candidate) => candidate.name === name);
  if (!account) throw new Error(`the local chain has no account ${name}`);
  return account.privateKey;
}

function createKillCampaign(options: KillOptions, world: CampaignWorld, facilitator: ScriptedFacilitator) {
  // For events whose order the plan does not fix.
  const choices = createSeededChoices(options.seed);
  const actions = createChainActions(world.devnet, keyOfAccount(world, "ivan"));
  const violations: string[] = [];
  const victims: Victim[] = [];
  const killsByFailpoint = new Tally();
  const takenOverBy = new Tally();
  const undelivered = new Tally();
  const seen = new Tally();
  let kills = 0;
  let missed = 0;
  let slowestReadyMs = 0;
  let survivor: ServiceProcess | undefined;
  let deck: Failpoint[] = [];

  const envOf = (remote: boolean): Record<string, string> =>
    remote ? { FACILITATOR_URL: facilitator.url } : {};

  async function start(env: Record<string, string>): Promise<ServiceProcess> {
    const process = await world.start(env);
    slowestReadyMs = Math.max(slowestReadyMs, process.startedInMs);
    return process;
  }

  const note = (victim: Victim, sight: Sight) => {
    seen.add(`${sight.status} ${sight.code}`.trim());
    if (sight.status === 500) violations.push(`${victim.kind}: 500 ${sight.code}`);
    if (isFinal(sight)) victim.final = sight;
  };

  async function runRound(round: number): Promise<void> {
    const left = Math.min(options.together ?? 1, options.kills - kills);
    const assaults = Array.from({ length: left }, (_, at) => {
      const plan = createRoundChoices(options.seed, round + at * 1_000_000);
      if (deck.length === 0) deck = plan.shuffle(paidCallFailpoints);
      return { plan, assault: planAssault(deck.pop() as Failpoint, plan) };
    });
    const isRestart = survivor === undefined || assaults[0]?.plan.chance(0.6);
    if (isRestart) await survivor?.kill();
    // They start at the same time and are struck one after another, because the facilitator has one mood at a time.
    const armed = await Promise.allSettled(assaults.map(({ assault }) => arm(assault)));
    const underFire: Victim[] = [];
    for (const [at, { assault, plan }] of assaults.entries())
      underFire.push(...(await strike(assault, plan, armed[at] as (typeof armed)[number])));
    facilitator.setMood(() => "honest");

    await endLeases(world);
    if (isRestart || !survivor) survivor = await start(envOf(choices.chance(0.3)));
    takenOverBy.add(isRestart ? "the process started again" : "another process");
    await finishCalls(survivor, underFire);
    if (round % 20 === 0) {
      const audit = await auditBooks(world.db, world.devnet, { mayBeUnfinished: true });
      violations.push(...audit.violations.map((violation) => `round ${round}: ${violation}`));
    }
  }

  /** Starts the process that is to die. */
  const arm = (assault: Assault): Promise<ServiceProcess> =>
    start({ ...envOf(assault.isRemote), FAILPOINT: `${assault.failpoint}:${assault.turn}` });

  /** Sends calls to the process that is to die until it does. Returns what was sent. */
  async function strike(
    assault: Assault,
    plan: SeededChoices,
    armed: PromiseSettledResult<ServiceProcess>,
  ): Promise<Victim[]> {
    const countDeath = () => {
      kills++;
      killsByFailpoint.add(assault.failpoint);
    };
    if (armed.status === "rejected") {
      // It took over a call of an earlier process and reached the failpoint with it, before it got calls of its own.
      if (!(armed.reason instanceof EndedAtStartError) || !armed.reason.wasKilled) throw armed.reason;
      countDeath();
      return [];
    }
    const process = armed.value;
    let prepared: VictimCall[];
    try {
      prepared = await prepareCalls(world, actions, process, assault, plan, options.withExpiry);
    } catch (error) {
      // Likewise, but when it had started.
      if (!(await hasDied(process))) throw error;
      countDeath();
      return [];
    }
    const underFire: Victim[] = prepared.map((call) => ({ ...call, final: undefined }));
    victims.push(...underFire);
    facilitator.setMood(() => choices.pick(assault.moods));
    const { url } = process;
    await Promise.all(underFire.map(async (victim) => note(victim, await attempt(url, victim.call))));
    if (await hasDied(process)) countDeath();
    else {
      missed++;
      deck.push(assault.failpoint);
    }
    await process.kill();
    return underFire;
  }

  /** The callers retry until each has an answer. A payment that nobody sent is delivered, cancelled or left to expire. */
  async function finishCalls(process: ServiceProcess, open: readonly Victim[]): Promise<void> {
    await Promise.all(
      open.map(async (victim) => {
        if (victim.final) return;
        const onSight = (sight: Sight) => note(victim, sight);
        // In flight at first, a payment may turn out unknown a little later.
        let sight: Sight;
        let tries = 0;
        do {
          sight = await attemptUntilFinal(process.url, victim.call, onSight, 1_500);
          if (isFinal(sight) || victim.expires) return;
        } while (sight.code !== "payment_outcome_unknown" && ++tries < 10);
        if (sight.code === "payment_outcome_unknown") await resolve(victim);
        const last = await attemptUntilFinal(process.url, victim.call, onSight, 15_000);
        if (!isFinal(last) && last.code === "payment_outcome_unknown") await resolve(victim);
      }),
    );
  }

  async function resolve({ call }: Victim): Promise<void> {
    const how = choices.pick(["deliver", "cancel"] as const satisfies (keyof ChainActions)[]);
    await actions[how](call);
    undelivered.add(how === "deliver" ? "handed in by a stranger" : "cancelled by the payer");
  }

  /** Waits until every call has its answer, compares each answer with its replay, and audits the books. */
  async function conclude(startedAt: number): Promise<KillSummary> {
    const last = survivor ?? (await start({}));
    const open = victims.filter((victim) => !victim.final);
    for (const { expires } of open) undelivered.add(expires ? "left to expire" : "late");
    await Promise.all(
      open.map((victim) =>
        attemptUntilFinal(last.url, victim.call, (sight) => note(victim, sight), 60_000, 500),
      ),
    );
    const answered = victims.filter(({ final }) => final?.status === 200);
    for (let at = 0; at < answered.length; at += 8)
      await Promise.all(answered.slice(at, at + 8).map((victim) => compareReplay(last, victim)));
    const audit = await waitForQuiet(world);
    violations.push(...audit.violations);
    const chargedAfter402 = victims.filter(
      ({ call, final }) => final?.status === 402 && audit.charged.has(keyOf(call)),
    ).length;
    const acknowledgedLost = answered.filter(({ call }) => !audit.settledKeys.has(keyOf(call))).length;
    if (chargedAfter402 > 0) violations.push(`${chargedAfter402} callers got 402 and were charged`);
    if (acknowledgedLost > 0) violations.push(`${acknowledgedLost} acknowledged answers are lost`);
    const ended = new Tally();
    for (const { kind, final } of victims) {
      if (!final) violations.push(`a ${kind} call never got an answer`);
      ended.add(`${kind}: ${final ? `${final.status} ${final.code}`.trim() : "no answer"}`);
    }
    return {
      campaign: "kill",
      seed: options.seed,
      kills,
      killsByFailpoint,
      missed,
      takenOverBy,
      calls: victims.length,
      ended,
      seen,
      undelivered,
      acknowledged: answered.length,
      acknowledgedLost,
      chargedAfter402,
      settled: audit.settled,
      charges: audit.charges,
      byState: audit.byState,
      slowestReadyMs,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  }

  async function compareReplay(process: ServiceProcess, victim: Victim): Promise<void> {
    const again = await attempt(process.url, victim.call);
    if (again.status !== 200 || again.digest !== victim.final?.digest)
      violations.push(`${victim.kind}: answered once, then ${again.status} ${again.code} or other bytes`);
  }

  return {
    runRound,
    conclude,
    kills: () => kills,
    describe: (round: number) =>
      `kill: round ${round}, ${kills}/${options.kills} kills, ${missed} missed, ${victims.length} calls, ` +
      `${victims.filter(({ final }) => !final).length} open, ${violations.length} violations`,
  };
}

/** A process that kills itself takes a moment to end. */
export async function hasDied(process: ServiceProcess): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < 1_000; waitedMs += 50) {
    if (process.isDead()) return true;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return false;
}

/** Ends all leases, as if a minute had passed: a dead process no longer holds its calls. */
export async function endLeases({ db }: CampaignWorld): Promise<void> {
  await db.query({
    text: `UPDATE invocations SET lease_until = now() - interval '1 second'
           WHERE state IN ('reserved', 'settling', 'unknown')`,
  });
}

/** Audits once reconciliation has had time to finish the open calls. */
export async function waitForQuiet(world: CampaignWorld, timeoutMs = 30_000): Promise<Audit> {
  await endLeases(world);
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const audit = await auditBooks(world.db, world.devnet);
    if (audit.unfinished === 0 || Date.now() > endMs) return audit;
    await new Promise((resume) => setTimeout(resume, 500));
  }
}
