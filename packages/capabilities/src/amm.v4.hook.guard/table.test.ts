import { afterAll, expect, test } from "vitest";
import { V4_POOL_MANAGER } from "./poolKey.js";
import type { HookGuardReadings, HookLeg } from "./readings.js";
import { createTrader } from "./testing/createTrader.js";
import { type PoolInput, useHookFixture } from "./testing/hookFixture.js";
import { hookRows } from "./testing/listHookRows.js";

const fixture = useHookFixture();
const { prepareTrader, swap } = createTrader(fixture);
const table: Record<string, unknown>[] = [];
const losses: Record<string, unknown>[] = [];
afterAll(() => {
  if (process.env.SHOW_HOOK_TABLE) console.table(table);
  if (process.env.SHOW_HOOK_LOSSES) console.table(losses);
});

const reported = (leg: HookLeg) => ({
  success: leg.success,
  sent: BigInt(leg.sent),
  received: BigInt(leg.received),
});
const ppm = (sent: bigint, received: bigint) =>
  sent === 0n ? null : Number(((sent - received) * 1_000_000n) / sent);

/** `npm run campaign:hooks` sends every size that was measured, in each direction; the suite the largest, in turns. */
const isEverySize = Boolean(process.env.ASSAY_EVERY_SIZE);
let turn = 0;

/** Sends what was measured: it costs the same, to the unit. */
async function compareWithRealSwaps(name: string, input: PoolInput, readings: HookGuardReadings) {
  const { devnet } = fixture;
  await prepareTrader(input);
  const measured = readings.trips.filter(({ role, isSettled }) => role === "stranger" && isSettled);
  turn += 1;
  const trips = isEverySize ? measured : measured.slice(turn % Math.max(1, measured.length)).slice(0, 1);
  for (const { zeroForOne, runs } of trips) {
    if (runs.status !== "value") throw new Error("nothing was simulated");
    for (const { shareBps, outcome } of runs.value.slice(isEverySize ? 0 : -1)) {
      if (!outcome?.isFunded || input.poolManager !== V4_POOL_MANAGER) continue;
      const before = await devnet.snapshot();
      const there = await swap(input, zeroForOne, BigInt(outcome.amount));
      expect(there).toEqual(reported(outcome.there));
      const back = outcome.back && (await swap(input, !zeroForOne, there.received));
      expect(back).toEqual(outcome.back && reported(outcome.back));
      await devnet.revert(before);
      const expected = outcome.back && ppm(BigInt(outcome.there.sent), BigInt(outcome.back.received));
      const real = back && ppm(there.sent, back.received);
      losses.push({ name, zeroForOne, shareBps, amount: outcome.amount, measured: expected, real });
    }
  }
}

test.each(hookRows.map((row) => [row.verdict, row.name, row] as const))(
  "%s: %s, which costs what was measured",
  async (_, name, row) => {
    const input = await row.prepare(fixture);
    const { verdict, reasonCodes, readings } = await fixture.guard(input);
    table.push({ name, verdict, reasons: reasonCodes.join(" ") });
    expect.soft(reasonCodes).toEqual(expect.arrayContaining([...row.reasons]));
    for (const reason of row.never ?? []) expect.soft(reasonCodes).not.toContain(reason);
    expect.soft(verdict).toBe(row.verdict);
    await compareWithRealSwaps(name, input, readings);
  },
);

test("and that was compared for nearly every situation", () => {
  expect(new Set(losses.map(({ name }) => name)).size).toBeGreaterThan(40);
  expect(losses.length).toBeGreaterThan(isEverySize ? 150 : 40);
  expect(new Set(losses.map(({ zeroForOne }) => zeroForOne)).size).toBe(2);
});
