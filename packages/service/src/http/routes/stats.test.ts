import { problemSchema, statsSchema } from "@assay/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { accountOf, pay } from "../../../test/payer.js";
import { useTestDatabase } from "../../../test/useTestDatabase.js";
import { useTestService } from "../../../test/useTestService.js";
import { listStatsFaults } from "../../market/testing/recountStats.js";
import { createStatsMemory } from "./stats.js";

/** The local chain's accounts are the same on every start. */
const BOB = "0xb622A4174d13da40f3FE6AbaF39e5703EaF40403";

const service = useTestService({ OPERATOR_WALLETS: BOB });
const store = useTestDatabase();
afterEach(() => vi.restoreAllMocks());

const fetchStats = () => fetch(`${service.url}/api/v1/capabilities/stats`);

test("the answer is cached for thirty seconds, here and on its way", async () => {
  const first = await fetchStats();
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("public, max-age=30");
  expect(Number(first.headers.get("age"))).toBeLessThan(30);
  const stats = statsSchema.parse(await first.json());
  expect(stats.cachedForSeconds).toBe(30);
  expect(await (await fetchStats()).json()).toEqual(stats);
});

test("other methods are refused, and stats is no capability to be called", async () => {
  const response = await fetch(`${service.url}/api/v1/capabilities/stats`, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await fetch(`${service.url}/api/v1/capabilities/stats/invoke`)).status).toBe(404);
});

test("settled calls are in the answer, the operator's own apart, and no wallet is", async () => {
  const url = `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;
  for (const name of ["alice", "alice", "bob"])
    expect((await pay(url, accountOf(service, name))).response.status).toBe(200);
  const { stats } = await createStatsMemory(service.db)();
  expect(stats.agents).toMatchObject({
    settledInvocations: 2,
    uniquePayingAgents: 1,
    paidUsd: 0.12,
    reuse: { hits: 1, partials: 0, misses: 1, reuseRate: 0.5 },
    retention: { newAgents: 1, newAgentsBeforeLastDay: 0, returnRate: null },
    reliability: { successRate: 1 },
  });
  // The operator's reuse of what alice's first call found earns her 20 % of the hit price.
  expect(stats.simulated).toMatchObject({ settledInvocations: 1, reuseDividendCreditsUsd: 0.004 });
  expect(await listStatsFaults(service.db, [BOB.toLowerCase()])).toEqual([]);
  expect(JSON.stringify(stats)).not.toMatch(/0x[0-9a-f]{40}/i);
});

test("everyone who asks within thirty seconds shares one reading", async () => {
  const query = vi.spyOn(store.database, "query");
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000_000);
  const recall = createStatsMemory(store.database);
  const [one, other] = await Promise.all([recall(), recall()]);
  expect(other.stats).toBe(one.stats);
  clock.mockReturnValue(1_029_999);
  expect(await recall()).toEqual({ stats: one.stats, ageSeconds: 29 });
  expect(query).toHaveBeenCalledTimes(1);
  clock.mockReturnValue(1_030_000);
  const next = await recall();
  expect(next.ageSeconds).toBe(0);
  expect(next.stats).not.toBe(one.stats);
  expect(query).toHaveBeenCalledTimes(2);
});

test("a reading that failed is not remembered", async () => {
  vi.spyOn(store.database, "query").mockRejectedValueOnce(new Error("the database blinked"));
  const recall = createStatsMemory(store.database);
  const failed = await Promise.allSettled([recall(), recall()]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await recall()).stats.windowDays).toBe(30);
});

test("a caller that asks too often learns when to come back", async () => {
  const answers = await Promise.all(Array.from({ length: 70 }, fetchStats));
  const refused = answers.find(({ status }) => status === 429);
  expect(problemSchema.parse(await refused?.json()).code).toBe("rate_limited");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
});
