import type { PaymentPayload } from "@assay/protocol";
import { auditWorld } from "./auditWorld.js";
import { buyByVoucher, type ChannelBuyer, openBuyer } from "./channelBuyers.js";
import { buyExactly, deliver, PRICE, payerOf } from "./exactBuyers.js";
import { describeSeeds } from "./replayOnPostgres.js";
import { seedRow } from "./rowStore.js";
import { createWorld, type Purchase, type SimulatedWorld, type WorldOptions } from "./simulatedWorld.js";
import { isOpen } from "./tables.js";

export interface PlayOptions extends WorldOptions {
  readonly lives: number;
}

export interface PlayedWorld {
  readonly violations: readonly string[];
  readonly traceHash: string;
  readonly lines: readonly string[] | undefined;
  readonly world: SimulatedWorld;
}

/** Lives begin within so many milliseconds. */
const SPREAD_MS = 60_000;
const RESOLVED_WITHIN_MS = (300 + 25 * 60) * 1000;
const CREDIT = 40_000n;

/** Plays all lives of one world until everything is decided and final, and audits it. */
export async function playWorld(options: PlayOptions): Promise<PlayedWorld> {
  const world = createWorld(options);
  const { timeline, trace } = world.scene;
  const buyers = [0, 1, 2].map((place) => openBuyer(world, place));
  endow(world, buyers);
  if (world.seeds) world.seeds.push(...describeSeeds(world.tables));
  await timeline.play(() => live(world, buyers, options.lives));
  const violations = [...auditWorld(world, buyers)];
  for (const violation of violations) trace.note(violation);
  return { violations, traceHash: trace.hash(), lines: trace.lines, world };
}

/** Money on the chain, and credit that some payers have earned. */
function endow({ tables, chain }: SimulatedWorld, buyers: readonly ChannelBuyer[]): void {
  for (const place of [0, 1, 2, 3, 4, 5]) {
    const payer = payerOf(place);
    chain.token.mint(payer, place === 5 ? 3n * PRICE : 1_000_000n);
    if (place > 2) continue;
    const [debit, credit] = ["issue:dividend", `wallet:${payer}`];
    tables.sequences.entry += 1n;
    const entry = { cause: `dividend:${place}`, debit_account: debit, credit_account: credit };
    const entryId = tables.sequences.entry;
    seedRow(tables.entries, String(entryId), {
      ...{ ...entry, entry_id: entryId, amount_micro_usd: CREDIT, salt: `salt ${entryId}` },
    });
    seedRow(tables.balances, credit, { account: credit, balance_micro_usd: CREDIT });
    const owed = (tables.balances.rows.get(debit)?.committed?.balance_micro_usd ?? 0n) - CREDIT;
    seedRow(tables.balances, debit, { account: debit, balance_micro_usd: owed });
  }
  for (const { config } of buyers) chain.token.mint(config.payer.toLowerCase(), 5_000_000n);
}

async function live(world: SimulatedWorld, buyers: readonly ChannelBuyer[], lives: number): Promise<void> {
  const { choices, timeline, faults } = world.scene;
  let open = lives;
  let isOver = () => {};
  const allOver = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  for (let life = 0; life < lives; life++) {
    const buyer = choices.chance(0.35) ? choices.pick(buyers) : undefined;
    timeline.after(choices.integer(0, SPREAD_MS), undefined, () => {
      const lived = buyer ? buyByVoucher(world, buyer, life) : buyExactly(world, life);
      void lived.then(() => {
        open -= 1;
        if (open === 0) isOver();
      });
    });
  }
  for (let reorgs = choices.chance(0.5) ? choices.integer(0, 3) : 0; reorgs > 0; reorgs--)
    timeline.after(choices.integer(5_000, SPREAD_MS), undefined, () => reorganise(world));
  // Longer than a caller waits for a settlement, or shorter.
  for (let times = choices.chance(0.2) ? 1 : 0; times > 0; times--)
    timeline.after(choices.integer(2_000, SPREAD_MS), undefined, () =>
      world.chain.fill(choices.integer(5_000, 60_000)),
    );
  if (choices.chance(0.1))
    timeline.after(choices.integer(2_000, SPREAD_MS), undefined, () =>
      world.chain.goAway(choices.integer(10_000, 900_000)),
    );
  await allOver;
  faults.isOn = false;
  // What bought nothing may still be delivered, by its buyer or by somebody who has seen it. Then it is owed, although another payment may have its offer.
  for (const { payment, sights } of world.purchases)
    if (payment.accepted.scheme === "exact" && sights.at(-1)?.status !== "answer" && choices.chance(0.25))
      deliver(world, payment as PaymentPayload);
  // Until it is mined nobody owes anything for it.
  await world.scene.timeline.sleep(60_000);
  world.paceMs = 10_000;
  await settleDown(world);
  // Everybody asks once more for what they paid for.
  for (const purchase of world.purchases) await askAgain(world, purchase);
  await settleDown(world);
  if (buyers.some(({ purchases }) => purchases.length > 0)) await awaitClaims(world);
}

function reorganise(world: SimulatedWorld): void {
  world.hasReorganised = true;
  world.chain.reorganise(world.scene.choices.integer(1, 10));
}

/** Waits until the chain has decided everything, and what it decided is final. */
async function settleDown(world: SimulatedWorld): Promise<void> {
  const { timeline } = world.scene;
  const { unfinal } = world.tables;
  const untilMs = timeline.nowMs() + RESOLVED_WITHIN_MS;
  while (noteOpen(world) || unfinal.rows.size > 0) {
    if (timeline.nowMs() >= untilMs) {
      world.violations.add("25 minutes after the last validity something is still open");
      return;
    }
    await timeline.sleep(10_000);
  }
}

/** Whether a call is undecided, and for how long after its payment's validity. */
function noteOpen(world: SimulatedWorld): boolean {
  const { rows, indexes } = world.tables.invocations;
  const nowSeconds = Math.floor(world.scene.timeline.nowMs() / 1000);
  let isAnyOpen = false;
  for (const key of indexes.open.rows.get("open") ?? []) {
    const call = rows.get(key)?.committed;
    if (!call || !isOpen(call)) continue;
    isAnyOpen = true;
    world.longestOpenSeconds = Math.max(world.longestOpenSeconds, nowSeconds - Number(call.valid_before));
  }
  return isAnyOpen;
}

/** A node that is away comes back within a quarter of an hour. */
async function askAgain({ send, scene: { timeline } }: SimulatedWorld, purchase: Purchase): Promise<void> {
  const untilMs = timeline.nowMs() + RESOLVED_WITHIN_MS;
  while (timeline.nowMs() < untilMs) {
    const { status } = await send(purchase);
    if (status === "answer" || status === "challenge") return;
    await timeline.sleep(5_000);
  }
}

/** Vouchers are claimed when they are an hour old. */
async function awaitClaims(world: SimulatedWorld): Promise<void> {
  const { choices, timeline } = world.scene;
  world.paceMs = 180_000;
  let reorgs = choices.chance(0.5) ? 1 : 0;
  world.chain.watchClaims(() => {
    if (reorgs > 0) timeline.after(choices.integer(100, 12_000), undefined, () => reorganise(world));
    reorgs -= 1;
  });
  await timeline.sleep(6_000_000);
}
