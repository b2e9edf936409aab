import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { paymentRequiredSchema } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import type { CampaignWorld } from "./campaignWorld.js";
import { createChainActions } from "./chainActions.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { openClockJumps } from "./disturbances/clock.js";
import { openFullDisk } from "./disturbances/disk.js";
import type { Disturbed, Trouble } from "./disturbances/disturbance.js";
import { openLostName } from "./disturbances/dns.js";
import { openFailover } from "./disturbances/failover.js";
import { openMemoryLimit } from "./disturbances/memory.js";
import {
  attempt,
  attemptUntilFinal,
  createPayer,
  guardPath,
  isFinal,
  keyOf,
  type PaidCall,
  type Sight,
  SNAPSHOT_PATH,
  signCall,
} from "./paidCalls.js";
import { endLeases, waitForQuiet } from "./runKill.js";

export const disturbances = {
  clock: openClockJumps,
  disk: openFullDisk,
  dns: openLostName,
  failover: openFailover,
  memory: openMemoryLimit,
} as const;
export type DisturbanceName = keyof typeof disturbances;

export interface RunDisturbanceOptions extends CampaignOptions {
  readonly name: DisturbanceName;
  /** How long each phase lasts at least: before, and during and after each trouble. */
  readonly seconds: number;
  readonly payers: number;
  readonly withoutProtection?: boolean;
}

export interface DisturbanceSummary extends CampaignSummary {
  readonly withoutProtection: boolean;
  readonly seconds: number;
  readonly payers: number;
  /** From the end of each trouble until somebody got an answer to a payment. */
  readonly answeredAfterMs: Record<string, number>;
  /** What callers saw in each phase. */
  readonly seen: Record<string, Tally>;
  readonly calls: number;
  readonly answered: number;
  readonly neverAnswered: number;
  readonly chargedAfter402: number;
  readonly answersLost: number;
  readonly settled: number;
  readonly charges: number;
  readonly byState: Record<string, number>;
  readonly figures: object;
  readonly ms: number;
}

/** The service has to answer again within this time after the trouble, on a busy machine too. */
const RECOVERY_LIMIT_MS = 120_000;
/** Of a control nobody waits long for answers: many never come. */
const CONTROL_LIMIT_MS = 10_000;

/** Payers pay as fast as they are answered, while something goes wrong around the service and passes. */
export async function runDisturbance(options: RunDisturbanceOptions): Promise<DisturbanceSummary> {
  const startedAt = performance.now();
  const withoutProtection = options.withoutProtection ?? false;
  const disturbed = await disturbances[options.name]({ ...options, withoutProtection });
  try {
    return await observe({ ...options, withoutProtection }, disturbed, startedAt);
  } finally {
    await disturbed.close();
  }
}

async function observe(
  options: RunDisturbanceOptions & { readonly withoutProtection: boolean },
  disturbed: Disturbed,
  startedAt: number,
): Promise<DisturbanceSummary> {
  const { world, url, troubles } = disturbed;
  const violations: string[] = [];
  const payers = startPayers(options, disturbed);
  const answeredAfterMs: Record<string, number> = {};
  await payers.answersIn("before", options.seconds);
  for (const trouble of troubles) {
    const tookMs = await pass(trouble, payers, options.seconds);
    answeredAfterMs[trouble.name] = tookMs;
    options.onProgress?.(`${options.name}: ${trouble.name}; answered again after ${tookMs} ms`);
    if (tookMs < 0) violations.push(`${trouble.name}: nothing was answered in time after it`);
  }
  const { finals, open, seen } = await payers.stop();
  const neverAnswered = await finishOpen(world, url, open, (call, sight) => finals.push({ call, sight }));
  if (neverAnswered > 0) violations.push(`${neverAnswered} callers never got an answer`);
  // A connection may break; an answer says what happened to the payment.
  for (const [phase, tally] of Object.entries(seen))
    for (const [sight, times] of Object.entries(tally.toJSON()))
      if (!/^(0|200|402|502|503)\b/.test(sight)) violations.push(`${phase}: ${times} callers saw ${sight}`);
  const audit = await waitForQuiet(world);
  violations.push(...audit.violations);
  const { violations: own, figures = {} } = await disturbed.conclude();
  violations.push(...own);
  const answered = finals.filter(({ sight }) => sight.status === 200);
  const answersLost = answered.filter(({ call }) => !audit.settledKeys.has(keyOf(call))).length;
  if (answersLost > 0) violations.push(`${answersLost} acknowledged answers are lost`);
  const chargedAfter402 = finals.filter(
    ({ call, sight }) => sight.status === 402 && audit.charged.has(keyOf(call)),
  ).length;
  if (chargedAfter402 > 0) violations.push(`${chargedAfter402} callers got 402 and were charged`);
  return {
    campaign: options.name,
    seed: options.seed,
    withoutProtection: options.withoutProtection,
    seconds: options.seconds,
    payers: options.payers,
    answeredAfterMs,
    seen,
    calls: finals.length,
    answered: answered.length,
    neverAnswered,
    chargedAfter402,
    answersLost,
    settled: audit.settled,
    charges: audit.charges,
    byState: audit.byState,
    figures,
    violations,
    ms: Math.round(performance.now() - startedAt),
  };
}

const pause = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms));

/** Returns how long after the trouble somebody was answered; -1 where nobody was in time. */
async function pass(trouble: Trouble, payers: Payers, seconds: number): Promise<number> {
  payers.enter(`during: ${trouble.name}`);
  await trouble.begin();
  await pause(seconds * 1000);
  await trouble.end();
  return payers.answersIn(`after: ${trouble.name}`, seconds);
}

type Payers = ReturnType<typeof startPayers>;

function startPayers({ seed, payers, withoutProtection }: RunDisturbanceOptions, { world, url }: Disturbed) {
  const limitMs = withoutProtection ? CONTROL_LIMIT_MS : RECOVERY_LIMIT_MS;
  const seen: Record<string, Tally> = {};
  const finals: { call: PaidCall; sight: Sight }[] = [];
  const open: PaidCall[] = [];
  let phase = "before";
  let isOver = false;
  let answered = 0;

  const note = (sight: Sight) => {
    const tally = seen[phase] ?? new Tally();
    seen[phase] = tally;
    tally.add(`${sight.status} ${sight.code}`.trim());
    if (sight.status === 200) answered += 1;
  };

  async function payUntilTheEnd(index: number): Promise<void> {
    const choices = createSeededChoices(seed + index);
    const payer = createPayer((world.devnet.accounts[index % 8] as { privateKey: `0x${string}` }).privateKey);
    while (!isOver) {
      const call = await prepare(url, payer, world, choices);
      if (!call) await pause(200);
      else await payOne(call);
    }
  }

  async function payOne(call: PaidCall): Promise<void> {
    for (;;) {
      const sight = await attempt(url, call);
      note(sight);
      if (isFinal(sight)) return void finals.push({ call, sight });
      if (isOver) return void open.push(call);
      await pause(Math.min(1000, Math.max(200, sight.retryAfterMs)));
    }
  }

  const running = Promise.all(Array.from({ length: payers }, (_, index) => payUntilTheEnd(index)));
  return {
    enter(next: string): void {
      phase = next;
    },
    /** Stays in a phase for so long, and until somebody is answered. Returns when the first answer came. */
    async answersIn(next: string, seconds: number): Promise<number> {
      phase = next;
      const before = answered;
      const beganMs = Date.now();
      let firstMs = -1;
      while (Date.now() - beganMs < (firstMs < 0 ? limitMs : seconds * 1000)) {
        if (firstMs < 0 && answered > before) firstMs = Date.now() - beganMs;
        await pause(20);
      }
      return firstMs;
    },
    async stop() {
      isOver = true;
      await running;
      return { finals, open, seen };
    },
  };
}

/** A price and a signature for it; undefined while the service gives no price. */
async function prepare(
  url: string,
  payer: PrivateKeyAccount,
  { devnet }: CampaignWorld,
  choices: SeededChoices,
): Promise<PaidCall | undefined> {
  const contracts = Object.values(devnet.contracts).filter((value) => typeof value === "string");
  const path = choices.chance(0.3)
    ? SNAPSHOT_PATH
    : guardPath(choices.chance(0.3) ? choices.hex(20) : choices.pick(contracts));
  try {
    const challenge = paymentRequiredSchema.parse(await (await fetch(url + path)).json());
    return await signCall(payer, path, challenge);
  } catch {
    return undefined;
  }
}

/** Callers retry, and take back what nobody has sent. Returns how many got no answer. */
async function finishOpen(
  world: CampaignWorld,
  url: string,
  open: readonly PaidCall[],
  onFinal: (call: PaidCall, sight: Sight) => void,
): Promise<number> {
  const key = world.devnet.accounts.find(({ name }) => name === "ivan")?.privateKey as `0x${string}`;
  const actions = createChainActions(world.devnet, key);
  await endLeases(world);
  const unanswered = await Promise.all(
    open.map(async (call) => {
      let sight = await attemptUntilFinal(url, call, () => undefined, 15_000, 500);
      if (sight.code === "payment_outcome_unknown") {
        await actions.cancel(call);
        sight = await attemptUntilFinal(url, call, () => undefined, 30_000, 500);
      }
      if (!isFinal(sight)) return 1;
      onFinal(call, sight);
      return 0;
    }),
  );
  return unanswered.reduce<number>((sum, one) => sum + one, 0);
}
