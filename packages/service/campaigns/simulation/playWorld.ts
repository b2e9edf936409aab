import { auditWorld } from "./auditWorld.js";
import { buyByVoucher, type ChannelBuyer, openBuyer } from "./channelBuyers.js";
import { buyExactly, PRICE, payerOf } from "./exactBuyers.js";
import { describeSeeds } from "./replayOnPostgres.js";
import { createWorld, type Purchase, type SimulatedWorld, type WorldOptions } from "./simulatedWorld.js";
import { seedRow } from "./tables.js";

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
  world.seeds.push(...describeSeeds(world.tables));
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
  await allOver;
  faults.isOn = false;
  world.paceMs = 5_000;
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

const OPEN = new Set(["reserved", "settling", "unknown"]);

/** Waits until the chain has decided everything, and what it decided is final. */
async function settleDown({ scene, tables, violations }: SimulatedWorld): Promise<void> {
  const { timeline } = scene;
  const untilMs = timeline.nowMs() + RESOLVED_WITHIN_MS;
  const isOpen = () =>
    tables.unfinal.rows.size > 0 ||
    [...tables.invocations.rows.values()].some(({ committed }) => committed && OPEN.has(committed.state));
  while (isOpen() && timeline.nowMs() < untilMs) await timeline.sleep(10_000);
  if (isOpen()) violations.add("25 minutes after the last validity something is still open");
}

async function askAgain({ send, scene }: SimulatedWorld, purchase: Purchase): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const { status } = await send(purchase);
    if (status === "answer" || status === "challenge") return;
    await scene.timeline.sleep(5_000);
  }
}

/** Vouchers are claimed when they are an hour old. */
async function awaitClaims(world: SimulatedWorld): Promise<void> {
  world.paceMs = 60_000;
  await world.scene.timeline.sleep(4_500_000);
}
