import { createRoundChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema } from "@assay/protocol";
import { auditRows } from "./auditBooks.js";
import { auditChannels, type Balances, readBalances } from "./auditChannels.js";
import {
  type CampaignWorld,
  createCampaignWorld,
  EndedAtStartError,
  type ServiceProcess,
} from "./campaignWorld.js";
import { type CampaignSummary, Tally } from "./commandLine.js";
import { attempt, type Sight } from "./paidCalls.js";
import { hasDied, type KillOptions } from "./runKill.js";
import { runRounds } from "./runRounds.js";
import {
  isOfClaims,
  isOfDeposits,
  isOfRefunds,
  type KillMoment,
  killMoments,
  type PlannedCall,
  planVoucherAssault,
  prepareCall,
  prepareVoucherCalls,
  type VoucherAssault,
} from "./voucherKillPlan.js";
import { createVoucherPayer, type VoucherPayer } from "./voucherPayers.js";

export interface VoucherKillOptions extends Omit<KillOptions, "withExpiry" | "withoutBytes"> {
  /** The control: no answer is stored with its charge. */
  readonly withoutAnswers?: boolean;
  /** Processes that die before another one takes over from all of them; one unless stated. */
  readonly together?: number;
}

export interface VoucherKillSummary extends CampaignSummary {
  readonly kills: number;
  readonly killsByMoment: Tally;
  /** Moments that were not reached, and came again later. */
  readonly missed: Tally;
  readonly takenOverBy: Tally;
  readonly calls: number;
  readonly ended: Tally;
  readonly seen: Tally;
  readonly acknowledged: number;
  readonly settled: number;
  readonly channels: number;
  /** Atomic units. */
  readonly charged: string;
  readonly ms: number;
}

interface Victim extends PlannedCall {
  final: Sight | undefined;
}

/** Another call of the channel is under way: the same payload may be sent again. */
const BUSY = "invalid_batch_settlement_evm_channel_busy";
const isFinal = ({ status, code }: Sight) =>
  status === 200 || (status >= 400 && status < 500 && status !== 409 && status !== 429 && code !== BUSY);

/** Payers that come back with the same channel. */
const REGULARS = 12;
const MAX_RETRY_MS = 40_000;

/**
 * Kills the service at every moment of a call that is paid by voucher, of a claim and of a refund, has the payers retry the same
 * payloads at another process, and compares channels, vouchers, answers and money with the chain.
 */
export async function runVoucherKill(options: VoucherKillOptions): Promise<VoucherKillSummary> {
  const startedAt = performance.now();
  const world = await createCampaignWorld(options);
  try {
    const wallets = world.devnet.accounts.slice(0, 8);
    const before = await readBalances(world.devnet, [
      ...wallets.map(({ address }) => address),
      world.devnet.payTo,
    ]);
    const campaign = createCampaign(options, world, before);
    await runRounds(campaign, options);
    return await campaign.conclude(startedAt);
  } finally {
    await world.close();
  }
}

function createCampaign(options: VoucherKillOptions, world: CampaignWorld, before: Balances) {
  const { db, devnet } = world;
  const violations: string[] = [];
  const victims: Victim[] = [];
  const regulars: VoucherPayer[] = [];
  const killsByMoment = new Tally();
  const takenOverBy = new Tally();
  const seen = new Tally();
  let kills = 0;
  const missed = new Tally();
  let other: ServiceProcess | undefined;
  let deck: KillMoment[] = [];

  async function note(victim: Victim, sight: Sight): Promise<void> {
    seen.add(`${sight.status} ${sight.code}`.trim());
    if (sight.status === 500) violations.push(`${victim.kind}: 500 ${sight.code}`);
    // A copy that came second is refused while the first one may still be charged.
    const isSettled = isFinal(sight) && (sight.status === 200 || victim.target !== "both");
    if (!isSettled || victim.final) return;
    victim.final = sight;
    await victim.call.payer.learn(victim.call, sight);
  }

  async function runRound(round: number): Promise<void> {
    const plan = createRoundChoices(options.seed, round);
    const left = Math.min(options.together ?? 1, options.kills - kills);
    const assaults = drawMoments(left, plan).map((moment) => planVoucherAssault(moment, plan));
    other ??= await startPatiently();
    const { url } = other;
    const cast = await castPayers(url, assaults, plan);
    if (plan.chance(0.2)) await makeClaimsDue();
    const others = Promise.allSettled(
      assaults.map((assault) => (isOfClaims(assault.moment) ? null : arm(assault))),
    );
    const prepared: PlannedCall[][] = [];
    for (const [at, assault] of assaults.entries())
      prepared.push(await prepareVoucherCalls(world, url, assault, cast[at] as VoucherPayer[], plan));
    const armed = await armClaims(assaults, await others, other);
    const underFire = await Promise.all(
      assaults.map((assault, at) =>
        strike(
          assault,
          armed[at] as PromiseSettledResult<ServiceProcess>,
          prepared[at] as PlannedCall[],
          url,
        ),
      ),
    );
    if (plan.chance(0.35)) {
      await other.kill();
      other = await startPatiently();
      takenOverBy.add("a process started again");
    } else takenOverBy.add("the other process");
    await endLeases();
    await finish(other, underFire.flat());
    if (round % 10 === 0) {
      const audit = await auditChannels(db, devnet);
      violations.push(...audit.violations.map((violation) => `round ${round}: ${violation}`));
    }
  }

  /** The next moments of the deck, at most one of them of the job that claims. */
  function drawMoments(count: number, plan: SeededChoices): KillMoment[] {
    const drawn: KillMoment[] = [];
    const later: KillMoment[] = [];
    while (drawn.length < count) {
      if (deck.length === 0 && drawn.length > 0) break;
      if (deck.length === 0) deck = plan.shuffle(killMoments);
      const moment = deck.pop() as KillMoment;
      (isOfClaims(moment) && drawn.some(isOfClaims) ? later : drawn).push(moment);
    }
    deck.push(...later);
    return drawn;
  }

  /** Each assault has payers of its own. Those who are new deposit; others have a channel already. */
  async function castPayers(url: string, assaults: readonly VoucherAssault[], plan: SeededChoices) {
    const free = plan.shuffle(regulars);
    const cast = assaults.map(({ moment, payers }) =>
      Array.from({ length: payers }, (_, at) => {
        const isNew = isOfDeposits(moment) ? at === 0 || plan.chance(0.5) : plan.chance(0.05);
        // The first one of these must have something left to get back.
        const mustHaveRest = isOfRefunds(moment) && at === 0;
        const payer = (isNew || mustHaveRest ? undefined : free.pop()) ?? createNewPayer(plan, mustHaveRest);
        return { payer, needsChannel: !isNew && !regulars.includes(payer) };
      }),
    );
    const opening = cast.flat().filter(({ needsChannel }) => needsChannel);
    const first: Victim[] = [];
    for (const { payer } of opening)
      first.push({ ...(await prepareCall(world, url, payer, plan)), target: "other", final: undefined });
    victims.push(...first);
    await Promise.all(first.map((victim) => retry(url, victim)));
    for (const { payer } of cast.flat()) {
      if (regulars.includes(payer)) continue;
      if (regulars.length < REGULARS) regulars.push(payer);
      else if (plan.chance(0.3)) regulars[plan.integer(0, REGULARS - 1)] = payer;
    }
    return cast.map((group) => group.map(({ payer }) => payer));
  }

  /** Deposits are small, so that top-ups are frequent. */
  const createNewPayer = (plan: SeededChoices, wantsRefund: boolean) =>
    createVoucherPayer(devnet, plan.pick(devnet.accounts.slice(0, 8)).privateKey, plan, () =>
      plan.integer(wantsRefund ? 1 : 0, 3),
    );

  const arm = ({ moment, turn }: VoucherAssault): Promise<ServiceProcess> =>
    startPatiently(moment === "any_moment" ? {} : { FAILPOINT: `${moment}:${turn}` });

  /** A machine that is too busy for a process to start in time tells nothing about vouchers. */
  async function startPatiently(env: Record<string, string> = {}): Promise<ServiceProcess> {
    for (let tries = 1; ; tries++) {
      try {
        return await world.start(env);
      } catch (error) {
        if (tries === 5 || !(error instanceof EndedAtStartError) || error.wasKilled) throw error;
      }
    }
  }

  /** Starts the process that dies while it claims. The others sleep meanwhile, because each of them would claim as well. */
  async function armClaims(
    assaults: readonly VoucherAssault[],
    armed: readonly PromiseSettledResult<ServiceProcess | null>[],
    staying: ServiceProcess,
  ): Promise<PromiseSettledResult<ServiceProcess>[]> {
    const awake = [
      staying,
      ...armed.flatMap((start) => (start.status === "fulfilled" ? (start.value ?? []) : [])),
    ];
    const all: PromiseSettledResult<ServiceProcess>[] = [];
    for (const [at, start] of armed.entries()) {
      const assault = assaults[at] as VoucherAssault;
      const isOther = !isOfClaims(assault.moment);
      if (isOther) all.push(start as PromiseSettledResult<ServiceProcess>);
      if (isOther) continue;
      await takeClaimLease();
      for (const { child } of awake) child.kill("SIGSTOP");
      await makeClaimsDue();
      await endLeases();
      if (assault.moment === "after_sweep_sent") await makeSweepDue();
      all.push(...(await Promise.allSettled([arm(assault)])));
      for (const { child } of awake) child.kill("SIGCONT");
    }
    return all;
  }

  /** Sends calls to the process that is to die, and to the other one, until it dies. */
  async function strike(
    { moment, killAfterMs }: VoucherAssault,
    armed: PromiseSettledResult<ServiceProcess>,
    prepared: readonly PlannedCall[],
    otherUrl: string,
  ): Promise<Victim[]> {
    const underFire: Victim[] = prepared.map((planned) => ({ ...planned, final: undefined }));
    victims.push(...underFire);
    // A claim is made at the start, so its process may be dead before it could be used.
    const isDeadAtStart = armed.status === "rejected";
    if (isDeadAtStart && !(armed.reason instanceof EndedAtStartError && armed.reason.wasKilled))
      throw armed.reason;
    const doomedUrl = isDeadAtStart ? otherUrl : armed.value.url;
    const fromOutside =
      moment === "any_moment" && !isDeadAtStart
        ? new Promise((resume) => setTimeout(resume, killAfterMs)).then(() => armed.value.kill())
        : undefined;
    await Promise.all(
      underFire.flatMap((victim) => {
        const urls = { doomed: [doomedUrl], other: [otherUrl], both: [doomedUrl, otherUrl] }[victim.target];
        return urls.map(async (url) => note(victim, await attempt(url, victim.call)));
      }),
    );
    await fromOutside;
    if (isDeadAtStart || (await hasDied(armed.value))) {
      kills++;
      killsByMoment.add(moment);
    } else {
      missed.add(moment);
      deck.unshift(moment);
    }
    if (!isDeadAtStart) await armed.value.kill();
    return underFire;
  }

  /** As if the two minutes had passed for which a dead process keeps others from its channels and from claims. */
  async function endLeases(): Promise<void> {
    await db.query({
      text: "UPDATE channels SET busy_until = now() - interval '1 second' WHERE busy_until IS NOT NULL",
    });
    await db.query({ text: "UPDATE channel_work SET leased_until = now()" });
  }

  /** As if the oldest charge were older than a claim may wait. */
  async function makeClaimsDue(): Promise<void> {
    await db.query({
      text: "UPDATE channels SET unclaimed_since = now() - interval '2 hours' WHERE unclaimed_since IS NOT NULL",
    });
  }

  /** No process is in the middle of claiming then, with rows locked. */
  async function takeClaimLease(): Promise<void> {
    await until(async () => {
      const text = `UPDATE channel_work SET leased_until = now() + interval '1 minute' WHERE leased_until <= now() RETURNING 1`;
      return (await db.query({ text })).length === 1 || undefined;
    });
  }

  /** As if the last sweep were older than a day. */
  async function makeSweepDue(): Promise<void> {
    await db.query({ text: "UPDATE channel_work SET swept_at = now() - interval '2 days'" });
  }

  /** The same payload again and again, until it is answered or refused. */
  async function retry(url: string, victim: Victim): Promise<void> {
    const endMs = Date.now() + MAX_RETRY_MS;
    // Its copies have come to an end.
    const single: Victim = victim.target === "both" ? { ...victim, target: "other" } : victim;
    while (!single.final && Date.now() < endMs) {
      await note(single, await attempt(url, single.call));
      if (!single.final) await new Promise((resume) => setTimeout(resume, 250));
    }
    victim.final = single.final;
  }

  /** Calls of one channel are retried one after another: the client learns from each answer. */
  async function finish({ url }: ServiceProcess, open: readonly Victim[]): Promise<void> {
    const byPayer = new Map<VoucherPayer, Victim[]>();
    for (const victim of open) {
      if (victim.final) continue;
      const { payer } = victim.call;
      byPayer.set(payer, [...(byPayer.get(payer) ?? []), victim]);
    }
    await Promise.all(
      [...byPayer.values()].map(async (group) => {
        for (const victim of group) await retry(url, victim);
      }),
    );
  }

  async function conclude(startedAt: number): Promise<VoucherKillSummary> {
    const last = other ?? (await startPatiently());
    await finish(last, victims);
    const answered = victims.filter(({ kind, final }) => kind !== "refund" && final?.status === 200);
    for (let at = 0; at < answered.length; at += 8)
      await Promise.all(answered.slice(at, at + 8).map((victim) => compareReplay(last, victim)));
    await claimAll();
    const audit = await auditChannels(db, devnet, before);
    violations.push(...audit.violations, ...(await auditRows(db)));
    // Every answer has its settled call, and every settled call its answer: both ways round.
    const answeredIds = new Set<string>();
    for (const { call, final } of answered) {
      const { invocationId } = capabilityResultSchema.parse(JSON.parse(String(final?.body)));
      if (answeredIds.has(invocationId)) violations.push(`${invocationId} was answered to two payloads`);
      answeredIds.add(invocationId);
      if (audit.ceilings.get(invocationId) !== BigInt(call.payment.payload.voucher.maxClaimableAmount))
        violations.push(`${invocationId} was answered, but not charged with its voucher`);
    }
    for (const invocationId of audit.ceilings.keys())
      if (!answeredIds.has(invocationId))
        violations.push(`${invocationId} was charged, but its payer has no answer`);
    const ended = new Tally();
    for (const { kind, final } of victims) {
      if (!final) violations.push(`a ${kind} never came to an end`);
      ended.add(`${kind}: ${final ? `${final.status} ${final.code}`.trim() : "no end"}`);
    }
    return {
      campaign: "voucher-kill",
      seed: options.seed,
      kills,
      killsByMoment,
      missed,
      takenOverBy,
      calls: victims.length,
      ended,
      seen,
      acknowledged: answered.length,
      settled: audit.ceilings.size,
      channels: audit.channels,
      charged: audit.charged.toString(),
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  }

  /** Lets the job claim what is left. */
  async function claimAll(): Promise<void> {
    await endLeases();
    for (const endMs = Date.now() + 60_000; Date.now() < endMs; ) {
      await makeClaimsDue();
      if ((await auditChannels(db, devnet)).unclaimed === 0n) return;
      await new Promise((resume) => setTimeout(resume, 500));
    }
  }

  async function compareReplay(process: ServiceProcess, { kind, call, final }: Victim): Promise<void> {
    const again = await attempt(process.url, call);
    if (again.status !== 200 || again.digest !== final?.digest)
      violations.push(`${kind}: answered once, then ${again.status} ${again.code} or other bytes`);
  }

  return {
    runRound,
    conclude,
    kills: () => kills,
    describe: (round: number) =>
      `voucher-kill: round ${round}, ${kills}/${options.kills} kills, ${missed.total()} missed, ${victims.length} calls, ` +
      `${victims.filter(({ final }) => !final).length} open, ${violations.length} violations` +
      violations
        .slice(0, 3)
        .map((violation) => `\n  ${violation}`)
        .join(""),
  };
}
