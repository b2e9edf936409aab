import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { type PaymentRequired, paymentRequiredSchema } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { atService, type CampaignWorld, type ServiceWorld } from "./campaignWorld.js";
import { type ChainActions, createChainActions } from "./chainActions.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
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

export interface OutageOptions extends CampaignOptions {
  readonly seconds: number;
  readonly payers: number;
  readonly awayMs: number;
  /** A world with a database server of its own, and a service in it, that several outages share. */
  readonly shared?: ServiceWorld;
  /** The database crashes instead of shutting down, and has to recover from its log. */
  readonly isCrash?: boolean;
}

export interface OutageSummary extends CampaignSummary {
  readonly seconds: number;
  readonly payers: number;
  readonly database: "stopped" | "crashed";
  /** From the first moment of the stop until the database accepted connections again. */
  readonly awayMs: number;
  /** From then until the first paid answer. */
  readonly firstAnswerAfterMs: number;
  /** What callers saw, before, during and after. */
  readonly seen: Record<Phase, { unpaid: Tally; paid: Tally }>;
  readonly calls: number;
  readonly answered: number;
  readonly refused: number;
  /** Calls still open when time was up, and how they ended. */
  readonly late: Tally;
  readonly chargedAfter402: number;
  readonly settled: number;
  readonly charges: number;
  readonly byState: Record<string, number>;
  readonly ms: number;
}

/** An outage that no caller notices within this time says nothing. */
const NOTICE_LIMIT_MS = 20_000;

const phases = ["before", "during", "after"] as const;
type Phase = (typeof phases)[number];

/** Payers pay as fast as they are answered, while the database stops and starts again. */
export async function runOutage(options: OutageOptions): Promise<OutageSummary> {
  const startedAt = performance.now();
  return atService(options.shared, { durable: true }, (opened) => observe(options, opened, startedAt));
}

async function observe(
  options: OutageOptions,
  { world, service }: ServiceWorld,
  startedAt: number,
): Promise<OutageSummary> {
  const { seed, seconds, payers, onProgress } = options;
  const violations: string[] = [];
  const newTallies = () => ({ unpaid: new Tally(), paid: new Tally() });
  const seen = { before: newTallies(), during: newTallies(), after: newTallies() };
  const finals: { call: PaidCall; sight: Sight }[] = [];
  const open: PaidCall[] = [];
  let phase: Phase = "before";
  let wasRefused = false;
  let backAtMs = 0;
  let firstAnswerAfterMs = -1;

  function note(what: "unpaid" | "paid", { status, code }: Pick<Sight, "status" | "code">): void {
    seen[phase][what].add(`${status} ${code}`.trim());
    if (phase === "during" && status === 503) wasRefused = true;
    if (phase === "after" && what === "paid" && status === 200 && firstAnswerAfterMs < 0)
      firstAnswerAfterMs = Date.now() - backAtMs;
  }

  const endMs = Date.now() + seconds * 1000;
  const isOver = () => Date.now() > endMs && phase === "after";

  async function payUntilTheEnd(index: number): Promise<void> {
    const choices = createSeededChoices(seed + index);
    const account = world.devnet.accounts[index % 8] as { privateKey: `0x${string}` };
    const payer = createPayer(account.privateKey);
    while (!isOver()) {
      const call = await prepare(service.url, payer, world, choices, (sight) => note("unpaid", sight));
      if (!call) {
        await pause(200);
        continue;
      }
      for (;;) {
        const sight = await attempt(service.url, call);
        note("paid", sight);
        if (isFinal(sight)) {
          finals.push({ call, sight });
          break;
        }
        if (isOver()) {
          open.push(call);
          break;
        }
        await pause(Math.min(1000, Math.max(200, sight.retryAfterMs)));
      }
    }
  }

  async function takeDatabaseAway(): Promise<number> {
    await pause((seconds * 1000) / 2);
    onProgress?.(`outage: ${finals.length} calls answered, the database stops`);
    phase = "during";
    const awaySince = Date.now();
    // On a busy machine, callers may need longer to notice.
    const stayAway = async () => {
      await pause(options.awayMs);
      violations.push(...(await watchOutage(service.url)));
      while (!wasRefused && Date.now() - awaySince < NOTICE_LIMIT_MS) await pause(50);
    };
    await world.restartPostgres(stayAway, options.isCrash ? "SIGQUIT" : "SIGINT");
    phase = "after";
    backAtMs = Date.now();
    onProgress?.(`outage: database up after ${backAtMs - awaySince} ms`);
    return backAtMs - awaySince;
  }

  const [awayMs] = await Promise.all([
    takeDatabaseAway(),
    ...Array.from({ length: payers }, (_, index) => payUntilTheEnd(index)),
  ]);
  onProgress?.(`outage: ${finals.length} calls answered, ${open.length} open`);
  const late = await finishOpen(world, service.url, open, (call, sight) => {
    note("paid", sight);
    if (isFinal(sight)) finals.push({ call, sight });
  });
  for (const at of phases)
    for (const what of ["unpaid", "paid"] as const)
      for (const [sight, times] of Object.entries(seen[at][what].toJSON()))
        if (!/^(200|402|503)\b/.test(sight)) violations.push(`${at}: ${times} ${what} calls saw ${sight}`);
  if (service.isDead()) violations.push(`the service died: ${service.errors().slice(0, 2000)}`);
  if (late.of("no answer") > 0) violations.push(`${late.of("no answer")} callers never got an answer`);
  const audit = await waitForQuiet(world);
  violations.push(...audit.violations);
  const answered = finals.filter(({ sight }) => sight.status === 200);
  const lost = answered.filter(({ call }) => !audit.settledKeys.has(keyOf(call))).length;
  if (lost > 0) violations.push(`${lost} acknowledged answers are lost`);
  const chargedAfter402 = finals.filter(
    ({ call, sight }) => sight.status === 402 && audit.charged.has(keyOf(call)),
  ).length;
  if (chargedAfter402 > 0) violations.push(`${chargedAfter402} callers got 402 and were charged`);
  if (firstAnswerAfterMs < 0) violations.push("nothing was answered after the database started again");
  return {
    campaign: "outage",
    seed,
    seconds,
    payers,
    database: options.isCrash ? "crashed" : "stopped",
    awayMs,
    firstAnswerAfterMs,
    seen,
    calls: finals.length,
    answered: answered.length,
    refused: finals.length - answered.length,
    late,
    chargedAfter402,
    settled: audit.settled,
    charges: audit.charges,
    byState: audit.byState,
    violations,
    ms: Math.round(performance.now() - startedAt),
  };
}

/** Those who watch must see that the database is away: its figures are absent, and those of the process are there. */
async function watchOutage(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const shows = (name: string) => new RegExp(`^${name}\\b`, "m").test(text);
  return [
    ...["assay_database_bytes", "assay_unclaimed_usd", "assay_lost_payments", "assay_open_calls"]
      .filter(shows)
      .map((name) => `/metrics shows ${name} while the database is away`),
    ...["assay_head_age_seconds", "assay_settlements_left", "process_cpu_seconds_total"]
      .filter((name) => !shows(name))
      .map((name) => `/metrics lacks ${name} while the database is away`),
  ];
}

const pause = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms));

/** A price and a signature for it; undefined while the service gives no price. */
async function prepare(
  url: string,
  payer: PrivateKeyAccount,
  world: CampaignWorld,
  choices: SeededChoices,
  onSight: (sight: Pick<Sight, "status" | "code">) => void,
): Promise<PaidCall | undefined> {
  const contracts = Object.values(world.devnet.contracts).filter((value) => typeof value === "string");
  const address = choices.chance(0.3) ? choices.hex(20) : choices.pick(contracts);
  let path = choices.chance(0.3) ? SNAPSHOT_PATH : guardPath(address);
  if (choices.chance(0.5)) {
    const query = new URLSearchParams({
      capability: "contract.guard",
      address,
      wallet: payer.address.toLowerCase(),
    });
    const quote = await see(`${url}/api/v1/quotes?${query}`, onSight);
    if (quote?.invokeUrl === undefined) return undefined;
    const { pathname, search } = new URL(quote.invokeUrl as string);
    path = pathname + search;
  }
  const challenge = paymentRequiredSchema.safeParse(await see(url + path, onSight));
  return challenge.success ? signCall(payer, path, challenge.data as PaymentRequired) : undefined;
}

async function see(
  url: string,
  onSight: (sight: Pick<Sight, "status" | "code">) => void,
): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url);
    const body = (await response.json()) as { code?: string; error?: string };
    onSight({ status: response.status, code: body.code ?? body.error?.split(":")[0] ?? "" });
    return body as Record<string, unknown>;
  } catch {
    onSight({ status: 0, code: "no_answer" });
    return undefined;
  }
}

/** A minute later, callers retry, and cancel payments that were never sent. */
async function finishOpen(
  world: CampaignWorld,
  url: string,
  open: readonly PaidCall[],
  onSight: (call: PaidCall, sight: Sight) => void,
): Promise<Tally> {
  const key = world.devnet.accounts.find(({ name }) => name === "ivan")?.privateKey as `0x${string}`;
  const actions: ChainActions = createChainActions(world.devnet, key);
  const late = new Tally();
  await endLeases(world);
  await Promise.all(
    open.map(async (call) => {
      const see = (sight: Sight) => onSight(call, sight);
      let sight = await attemptUntilFinal(url, call, see, 8_000, 500);
      if (sight.code === "payment_outcome_unknown") {
        await actions.cancel(call);
        late.add("taken back by the payer");
        sight = await attemptUntilFinal(url, call, see, 15_000, 500);
      }
      late.add(isFinal(sight) ? `${sight.status} ${sight.code}`.trim() : "no answer");
    }),
  );
  return late;
}
