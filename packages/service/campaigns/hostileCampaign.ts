import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { compareWithOfficial } from "../src/payments/settlement/testing/compareWithOfficial.js";
import { type Audit, auditBooks } from "./auditBooks.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { type FacilitatorBehaviour, facilitatorBehaviours } from "./hostileFacilitator.js";
import { type NodeBehaviour, nodeBehaviours } from "./hostileNode.js";
import { buy, type Purchase, sendOnce } from "./hostilePurchase.js";
import { type HostileWorld, openHostileWorld } from "./hostileWorld.js";
import { keyOf } from "./paidCalls.js";

export type HostileBehaviour = FacilitatorBehaviour | NodeBehaviour;
export const hostileBehaviours: readonly HostileBehaviour[] = [...facilitatorBehaviours, ...nodeBehaviours];

/** A protection that a control run removes, to show that the campaign notices. */
export type MissingProtection = "trust the facilitator" | "402 while unknown";

export interface HostileOptions extends CampaignOptions {
  readonly postgresUrl: string;
  readonly seedsEach: number;
  readonly behaviours?: readonly HostileBehaviour[];
  /** Two worlds for all behaviours instead of one for each: quicker, but they may get in each other's way. */
  readonly together?: boolean;
  /** Payments to be judged by both facilitators; 0 for none. */
  readonly payloads?: number;
  readonly without?: MissingProtection | undefined;
}

export interface BehaviourFigures {
  readonly firstSeed: number;
  readonly purchases: number;
  readonly served: number;
  readonly charged: number;
  readonly signatures: number;
  readonly answers: Record<string, number>;
  readonly doubleCharges: number;
  readonly unpaidReleases: number;
  readonly refusedThoughTaken: number;
  readonly chargedUnserved: number;
  readonly undecided: number;
}

export interface HostileSummary extends CampaignSummary {
  readonly seedsEach: number;
  readonly behaviours: Record<string, BehaviourFigures>;
  readonly comparison: object | undefined;
}

const WAVE = 20;
const isNodeBehaviour = (behaviour: HostileBehaviour): behaviour is NodeBehaviour =>
  nodeBehaviours.some((name) => name === behaviour);

/** Honest clients buy from the real service while its facilitator, or its node, does one bad thing after another. */
export async function runHostileCampaign(options: HostileOptions): Promise<HostileSummary> {
  const violations: string[] = [];
  const figures: Record<string, BehaviourFigures> = {};
  const seeded = (options.behaviours ?? hostileBehaviours).map(
    (behaviour, i): SeededBehaviour => ({ behaviour, firstSeed: options.seed + i * 100_000 }),
  );
  const [node, facilitator] = [true, false].map((is) =>
    seeded.filter((s) => isNodeBehaviour(s.behaviour) === is),
  );
  const groups = options.together ? [facilitator, node] : seeded.map((one) => [one]);
  for (const group of groups) {
    if (!group?.[0]) continue;
    const found = await runInOneWorld(options, group);
    violations.push(...found.violations);
    Object.assign(figures, found.figures);
    for (const [behaviour, figure] of Object.entries(found.figures))
      options.onProgress?.(`${behaviour} ${JSON.stringify(figure)}`);
  }
  const comparison = options.payloads ? await compareWithOfficial(options.seed, options.payloads) : undefined;
  for (const disagreement of comparison?.disagreements ?? []) violations.push(`official: ${disagreement}`);
  return {
    campaign: "hostile",
    seed: options.seed,
    seedsEach: options.seedsEach,
    violations,
    behaviours: figures,
    comparison,
  };
}

interface SeededBehaviour {
  readonly behaviour: HostileBehaviour;
  readonly firstSeed: number;
}

async function runInOneWorld(options: HostileOptions, group: readonly SeededBehaviour[]) {
  const isNode = group.some(({ behaviour }) => isNodeBehaviour(behaviour));
  const world = await openHostileWorld({
    postgresUrl: options.postgresUrl,
    through: isNode ? "node" : "facilitator",
    trusting: options.without === "trust the facilitator",
  });
  try {
    const bought = group.map((seeded) => ({ ...seeded, purchases: [] as Purchase[] }));
    const buyAll = async ({ behaviour, firstSeed, purchases }: (typeof bought)[number]) => {
      for (let start = 0; start < options.seedsEach; start += WAVE) {
        const length = Math.min(WAVE, options.seedsEach - start);
        const seeds = Array.from({ length }, (_, i) => firstSeed + start + i);
        purchases.push(
          ...(isNodeBehaviour(behaviour)
            ? await buyFromNode(world, behaviour, seeds)
            : await buyFromFacilitator(world, behaviour, seeds, options)),
        );
      }
    };
    // A facilitator treats each payment in its own way; a node fails for everybody at once.
    if (isNode) for (const each of bought) await buyAll(each);
    else await Promise.all(bought.map(buyAll));
    await world.facilitator.calm();
    await world.decideEverything();
    await askForTheEnd(
      world,
      bought.flatMap(({ purchases }) => purchases),
    );
    return await judgeAll(world, bought);
  } finally {
    await world.close();
  }
}

/** Longer than the circuit breaker stays open. */
const LAST_QUESTION_MS = 15_000;

/** A buyer without a final answer sends its last signed payment again until it gets one. */
async function askForTheEnd({ url, devnet }: HostileWorld, purchases: readonly Purchase[]): Promise<void> {
  const endMs = Date.now() + LAST_QUESTION_MS;
  await Promise.all(
    purchases.map(async (purchase) => {
      const call = purchase.calls.at(-1);
      let isOver = purchase.answers.some(({ key, status }) => call && key === keyOf(call) && status === 200);
      while (call && !isOver && Date.now() < endMs) {
        const status = await sendOnce({ url, devnet }, purchase, call);
        isOver = status === 200 || status === 402;
        if (!isOver) await new Promise((resume) => setTimeout(resume, 500));
      }
    }),
  );
}

function buyFromFacilitator(
  world: HostileWorld,
  behaviour: FacilitatorBehaviour,
  seeds: readonly number[],
  options: HostileOptions,
): Promise<Purchase[]> {
  const { url, devnet, facilitator } = world;
  return Promise.all(
    seeds.map((seed) => {
      const choose = createSeededChoices(seed);
      const script = {
        behaviour,
        at: chooseStep(behaviour, choose),
        moves: choose.pick(["before", "after", "never"] as const),
        choose,
      };
      const [times, turns] = [choose.integer(1, 3), choose.integer(1, 2)];
      return buy({
        ...{ url, devnet, choose, seed, patienceMs: choose.integer(3_000, 5_000) },
        unknownAs402: options.without === "402 while unknown",
        onSigned: (payment, turn) => {
          if (turn < turns) facilitator.script(payment, { ...script, times });
        },
      });
    }),
  );
}

/** Silence and strangers can interfere at either step. False reports about a settlement come at settling only. */
function chooseStep(behaviour: FacilitatorBehaviour, choose: SeededChoices): "verify" | "settle" {
  if (behaviour === "lying_refusal") return "verify";
  const either: FacilitatorBehaviour[] = ["reset", "hang", "garbage", "html_502", "preempted", "cancelled"];
  return either.includes(behaviour) && choose.chance(0.3) ? "verify" : "settle";
}

async function buyFromNode(
  world: HostileWorld,
  behaviour: NodeBehaviour,
  seeds: readonly number[],
): Promise<Purchase[]> {
  const { url, devnet, node, outsiders } = world;
  const chooseWave = createSeededChoices(seeds[0] as number);
  const faultMs = chooseWave.integer(300, 3_500);
  node.fail(behaviour, chooseWave);
  const healing = new Promise<void>((healed) => {
    setTimeout(() => {
      node.heal();
      healed();
    }, faultMs);
  });
  const others: Promise<unknown>[] = [];
  const purchases = await Promise.all(
    seeds.map(async (seed) => {
      const choose = createSeededChoices(seed);
      const [isPreempted, isCancelled, delayMs] = [
        choose.chance(0.2),
        choose.chance(0.1),
        choose.integer(0, 60),
      ];
      return buy({
        ...{ url, devnet, choose, seed, patienceMs: faultMs + choose.integer(1_500, 3_500) },
        onSigned: (payment, turn) => {
          if (turn > 0 || (!isPreempted && !isCancelled)) return;
          const act = () => (isPreempted ? outsiders.preempt(payment) : outsiders.cancel(payment));
          others.push(new Promise((resume) => setTimeout(resume, delayMs)).then(act).catch(() => undefined));
        },
      });
    }),
  );
  await Promise.all([healing, ...others]);
  return purchases;
}

async function judgeAll(
  world: HostileWorld,
  bought: readonly (SeededBehaviour & { readonly purchases: readonly Purchase[] })[],
) {
  const audit = await auditBooks(world.db, world.devnet);
  const violations = [...audit.violations];
  const figures: Record<string, BehaviourFigures> = {};
  for (const { behaviour, firstSeed, purchases } of bought) {
    const judged = judge(audit, purchases);
    figures[behaviour] = { firstSeed, ...judged.figures, undecided: audit.unfinished };
    violations.push(...judged.violations.map((violation) => `${behaviour}: ${violation}`));
  }
  return { figures, violations };
}

/** Checks the three rules, and that every buyer who was charged got an answer. */
function judge(audit: Audit, purchases: readonly Purchase[]) {
  const violations: string[] = [];
  const count = { doubleCharges: 0, unpaidReleases: 0, refusedThoughTaken: 0, chargedUnserved: 0 };
  const answers: Record<string, number> = {};
  const broke = (rule: keyof typeof count, seed: number, what: string) => {
    count[rule]++;
    violations.push(`seed ${seed}: ${what}`);
  };
  let [served, charged, signatures] = [0, 0, 0];
  for (const { seed, calls, answers: heard } of purchases) {
    signatures += calls.length;
    const taken = calls.map(keyOf).filter((key) => audit.charged.has(key));
    if (taken.length > 0) charged++;
    if (taken.length > 1) broke("doubleCharges", seed, `charged ${taken.length} times`);
    const isServed = heard.some(({ status }) => status === 200);
    if (isServed) served++;
    if (taken.length > 0 && !isServed) broke("chargedUnserved", seed, "charged but never answered");
    for (const { key, status, code, wasUsed } of heard) {
      const what = `${status}${code && ` ${code}`}`;
      answers[what] = (answers[what] ?? 0) + 1;
      if (status >= 500 && status !== 503) violations.push(`seed ${seed}: answered ${what}`);
      if (status === 200 && !(wasUsed && audit.charged.has(key)))
        broke("unpaidReleases", seed, "answered without a transfer");
      if (status === 402 && audit.charged.has(key))
        broke("refusedThoughTaken", seed, `402 ${code} for a payment that was taken`);
    }
  }
  const figures = { purchases: purchases.length, served, charged, signatures, answers, ...count };
  return { figures, violations };
}
