import { statsSchema, type Traffic } from "@assay/protocol";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { emptyTables } from "../../test/emptyTables.js";
import { deleteOldStats, readStats } from "./readStats.js";

const db: TestDatabase = await createTestDatabase();
afterAll(() => db.close());
beforeEach(() =>
  emptyTables(db, "stats_days", "stats_durations", "stats_wallets", "stats_last_days", "stats_cohorts"),
);

const now = new Date("2026-03-15T10:00:00Z");
const read = async () => statsSchema.parse(await readStats(db, now));

type Row = Record<string, string | number | boolean>;
const insert = async (table: string, rows: readonly Row[]) => {
  for (const row of rows)
    await db.query({
      text: `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, i) => `$${i + 1}`)})`,
      values: Object.values(row),
    });
};
const calls = (day: string, capability_id: string, settled: number, more: Row = {}) => ({
  day,
  capability_id,
  is_simulated: false,
  settled,
  ...more,
});

describe("thirty days", () => {
  test("a database without a call answers zeros, no rates, and every day of the window", async () => {
    const stats = await read();
    expect(stats).toMatchObject({ windowDays: 30, from: "2026-02-14", to: "2026-03-15" });
    const nothing: Traffic = {
      settledInvocations: 0,
      failedInvocations: 0,
      uniquePayingAgents: 0,
      paidUsd: 0,
      creditAppliedUsd: 0,
      reuse: { hits: 0, partials: 0, misses: 0, reuseRate: null },
      reuseDividendCreditsUsd: 0,
      retention: {
        newAgents: 0,
        newAgentsBeforeLastDay: 0,
        returnedOnLaterDay: 0,
        returnRate: null,
        fullPriceSecondDayRepeats: 0,
        fullPriceSecondDayRepeatRate: null,
      },
      reliability: { successRate: null, p50Ms: null, p90Ms: null, p99Ms: null },
      byCapability: [],
      byDay: stats.agents.byDay,
    };
    expect(stats.agents).toEqual(nothing);
    expect(stats.simulated).toEqual(nothing);
    expect(stats.agents.byDay).toHaveLength(30);
    expect(stats.agents.byDay[15]).toEqual({
      day: "2026-03-01",
      settledInvocations: 0,
      paidUsd: 0,
      reuses: 0,
    });
  });

  test("calls add up over the window and not beyond it", async () => {
    await insert("stats_days", [
      calls("2026-02-13", "contract.guard", 1000, { paid_micro_usd: 1_000_000 }),
      calls("2026-02-14", "contract.guard", 3, {
        failed: 1,
        hits: 1,
        partials: 1,
        misses: 1,
        paid_micro_usd: 100_001,
        credit_micro_usd: 5,
        dividend_micro_usd: 20_000,
      }),
      calls("2026-03-15", "contract.guard", 1, { hits: 1, paid_micro_usd: 20_000 }),
      calls("2026-03-15", "token.metadata", 4, { misses: 4, paid_micro_usd: 40_000 }),
      calls("2026-03-15", "chain.snapshot", 0, { failed: 1 }),
      calls("2026-03-16", "contract.guard", 1000),
    ]);
    const { agents } = await read();
    expect(agents).toMatchObject({
      settledInvocations: 8,
      failedInvocations: 2,
      paidUsd: 0.160001,
      creditAppliedUsd: 0.000005,
      reuseDividendCreditsUsd: 0.02,
      reuse: { hits: 2, partials: 1, misses: 5, reuseRate: 3 / 8 },
      reliability: { successRate: 0.8 },
    });
    const guard = { capabilityId: "contract.guard", settledInvocations: 4, paidUsd: 0.120001 };
    const metadata = { capabilityId: "token.metadata", settledInvocations: 4, paidUsd: 0.04 };
    expect(agents.byCapability).toEqual([
      { ...guard, hits: 2, partials: 1, misses: 1 },
      { ...metadata, hits: 0, partials: 0, misses: 4 },
    ]);
    expect(agents.byDay.filter((day) => day.settledInvocations > 0)).toEqual([
      { day: "2026-02-14", settledInvocations: 3, paidUsd: 0.100001, reuses: 2 },
      { day: "2026-03-15", settledInvocations: 5, paidUsd: 0.06, reuses: 1 },
    ]);
  });

  test("simulated traffic is kept out of what agents did", async () => {
    const is_simulated = true;
    await insert("stats_days", [calls("2026-03-15", "contract.guard", 7, { is_simulated, hits: 7 })]);
    await insert("stats_durations", [{ day: "2026-03-15", is_simulated, upper_ms: 50, calls: 7 }]);
    await insert("stats_last_days", [{ day: "2026-03-15", is_simulated, wallets: 2 }]);
    await insert("stats_cohorts", [{ first_day: "2026-03-15", is_simulated, wallets: 2 }]);
    const before = await read();
    expect(before.agents).toMatchObject({ settledInvocations: 0, uniquePayingAgents: 0, byCapability: [] });
    expect(before.agents).toMatchObject({ retention: { newAgents: 0 }, reliability: { p50Ms: null } });
    expect(before.simulated).toMatchObject({
      settledInvocations: 7,
      uniquePayingAgents: 2,
      retention: { newAgents: 2 },
      reliability: { p50Ms: 50 },
    });
    await insert("stats_days", [calls("2026-03-15", "contract.guard", 1)]);
    const after = await read();
    expect(after.agents.settledInvocations).toBe(1);
    expect(after.simulated).toEqual(before.simulated);
  });

  test("sums beyond what a JSON number holds stay exact to the micro-dollar until the edge", async () => {
    const huge = (day: string) => calls(day, "contract.guard", 1, { paid_micro_usd: "4503599627370497" });
    await insert("stats_days", [huge("2026-03-14"), huge("2026-03-15")]);
    expect((await read()).agents.paidUsd).toBe(Number(9_007_199_254_740_994n) / 1_000_000);
  });
});

describe("agents", () => {
  test("payers are counted by the day of their last call, newcomers by that of their first", async () => {
    await insert("stats_last_days", [
      { day: "2026-02-13", is_simulated: false, wallets: 100 },
      { day: "2026-02-14", is_simulated: false, wallets: 2 },
      { day: "2026-03-15", is_simulated: false, wallets: 5 },
    ]);
    await insert("stats_cohorts", [
      {
        first_day: "2026-02-13",
        is_simulated: false,
        wallets: 100,
        returned: 100,
        returned_at_full_price: 100,
      },
      { first_day: "2026-02-14", is_simulated: false, wallets: 4, returned: 3, returned_at_full_price: 1 },
      { first_day: "2026-03-15", is_simulated: false, wallets: 6 },
    ]);
    const { agents } = await read();
    expect(agents.uniquePayingAgents).toBe(7);
    // A wallet that came today has had no later day: the rates are about the four others.
    expect(agents.retention).toEqual({
      newAgents: 10,
      newAgentsBeforeLastDay: 4,
      returnedOnLaterDay: 3,
      returnRate: 3 / 4,
      fullPriceSecondDayRepeats: 1,
      fullPriceSecondDayRepeatRate: 1 / 4,
    });
  });
});

describe("percentiles", () => {
  const took = async (buckets: Record<number, number>, day = "2026-03-15") =>
    insert(
      "stats_durations",
      Object.entries(buckets).map(([bound, count]) => ({
        day,
        is_simulated: false,
        upper_ms: Number(bound),
        calls: count,
      })),
    );

  test("each is the bound of the bucket that reaches it", async () => {
    await took({ 1600: 9, 100: 40, 50: 10 });
    await took({ 100: 40, 12800: 1 }, "2026-02-14");
    await took({ 102400: 1000 }, "2026-02-13");
    expect((await read()).agents.reliability).toMatchObject({ p50Ms: 100, p90Ms: 100, p99Ms: 1600 });
  });

  test("one that lies beyond the last bound is not given a number", async () => {
    await took({ 50: 95, 2147483647: 5 });
    expect((await read()).agents.reliability).toMatchObject({ p50Ms: 50, p90Ms: 50, p99Ms: null });
  });
});

test("days past every window are dropped, the wallets' first days are not", async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  for (const day of [daysAgo(39), daysAgo(42)]) {
    await insert("stats_days", [calls(day, "contract.guard", 1)]);
    await insert("stats_durations", [{ day, is_simulated: false, upper_ms: 50, calls: 1 }]);
    await insert("stats_last_days", [{ day, is_simulated: false, wallets: 1 }]);
    await insert("stats_cohorts", [{ first_day: day, is_simulated: false, wallets: 1 }]);
    await insert("stats_wallets", [{ wallet: day, is_simulated: false, first_day: day, last_day: day }]);
  }
  await deleteOldStats(db);
  const [left] = await db.query({
    text: `SELECT (SELECT count(*) FROM stats_days) AS days, (SELECT count(*) FROM stats_durations) AS durations,
             (SELECT count(*) FROM stats_last_days) AS last_days, (SELECT count(*) FROM stats_cohorts) AS cohorts,
             (SELECT count(*) FROM stats_wallets) AS wallets`,
  });
  expect(left).toEqual({ days: 1n, durations: 1n, last_days: 1n, cohorts: 1n, wallets: 2n });
});
