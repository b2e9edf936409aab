import type { ChainRead } from "@assay/chain";
import { type Hex, type Reading, unanswered } from "@assay/protocol";
import { parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { identifyPool, V4_POOL_MANAGER } from "./poolKey.js";
import { BITS, TAKES_OUTPUT, useHookFixture } from "./testing/hookFixture.js";

const fixture = useHookFixture();
const { guard } = fixture;

const openPlain = async () =>
  fixture.opener.openPool({
    hooks: await fixture.opener.installHook("PlainLiquidityHook", BITS.beforeAddLiquidity),
  });

describe("what is found", () => {
  test("the pool's id, price, fees and liquidity are the manager's own", async () => {
    const input = await fixture.opener.openPool({ fee: 500, tickSpacing: 10 });
    const { findings, facts } = await guard(input);
    expect(findings.pool).toEqual({
      poolId: identifyPool(input).poolId,
      sqrtPriceX96: (2n ** 96n).toString(),
      tick: 0,
      lpFee: 500,
      protocolFee: { zeroForOne: 0, oneForZero: 0 },
      liquidity: parseEther("1000").toString(),
    });
    expect(findings.hook).toBeNull();
    expect(facts).toMatchObject([{ address: V4_POOL_MANAGER, slots: [{}, {}] }]);
  });

  test("a round trip without a hook loses twice the fee", async () => {
    const { findings } = await guard(await fixture.opener.openPool({ tickSpacing: 50 }));
    const trips = findings.trips;
    // Two senders who settle, one who does not, in both directions and sizes.
    expect(trips).toHaveLength(12);
    for (const trip of trips) {
      expect(trip.there.extraPpm).toBe(0);
      expect(trip.back?.extraPpm).toBe(0);
      expect(trip.lossPpm).toBe(trip.statedLossPpm);
      // 1 − (1 − 0.003)² is 5991 ppm; the way back undoes the weight of the way there, but for the fee that stayed.
      expect(trip.statedLossPpm).toBeGreaterThan(5_950);
      expect(trip.statedLossPpm).toBeLessThan(6_000);
    }
    const [small] = trips.filter(({ shareBps }) => shareBps === 1);
    expect(small?.costPpm).toBeGreaterThanOrEqual(2_990);
    expect(small?.costPpm).toBeLessThanOrEqual(3_001);
  });

  test("what a hook takes is reported to the ppm", async () => {
    const hooks = await fixture.opener.installHook("FeeHook", TAKES_OUTPUT, [10n]);
    const { findings } = await guard(await fixture.opener.openPool({ hooks }));
    expect(findings.trips).toHaveLength(12);
    for (const { there, lossPpm, statedLossPpm } of findings.trips) {
      expect(there.extraPpm).toBe(1_000);
      expect(lossPpm).toBeGreaterThan(statedLossPpm + 1_950);
    }
    expect(findings.hook).toMatchObject({
      permissions: ["afterSwap", "afterSwapReturnsDelta"],
      form: "contract",
    });
  });

  test("a protocol fee counts as stated, not as the hook's", async () => {
    const { opener, devnet } = fixture;
    const input = await openPlain();
    const { slot0 } = identifyPool(input).slots;
    const word = await devnet.request<Hex>("eth_getStorageAt", [input.poolManager, slot0, "latest"]);
    // 0.1 % in both directions.
    const charged = BigInt(word) | (1000n << 184n) | (1000n << 196n);
    await devnet.request("hardhat_setStorageAt", [
      input.poolManager,
      slot0,
      `0x${charged.toString(16).padStart(64, "0")}`,
    ]);
    await opener.send({ to: devnet.deployer.address, data: "0x" });
    const { verdict, findings } = await guard(input);
    expect(verdict).toBe("allow");
    expect(findings.pool).toMatchObject({ protocolFee: { zeroForOne: 1000, oneForZero: 1000 } });
    expect(findings.trips).toHaveLength(12);
    for (const { statedLossPpm } of findings.trips) expect(statedLossPpm).toBeGreaterThan(7_900);
  });

  test("the probe leaves no claims behind that a hook could know it by", async () => {
    const { opener } = fixture;
    const hooks = await opener.installHook("ClaimWatchingHook", TAKES_OUTPUT);
    const { findings } = await guard(await opener.openPool({ hooks }));
    expect(findings.trips).toHaveLength(12);
    for (const { there } of findings.trips) expect(there.extraPpm).toBe(100_000);
  });
});

describe("what no node answers, or answers by contradiction", () => {
  /** `paused()` of the hook: contract.guard asks, and nothing here rests on it. */
  const unjudged = (read: ChainRead) => read.kind === "call" && read.data === "0x5c975abb";

  test.each<[string, Reading<never>]>([
    ["unanswered", unanswered("timeout")],
    ["reverted", { status: "reverted", data: null }],
    ["absent", { status: "absent" }],
  ])("any one simulation %s is a review", async (_, answer) => {
    const input = await openPlain();
    const { asked } = await guard(input);
    const simulated = asked.flat().filter((read) => read.kind === "call" && read.overrides !== undefined);
    // Eight ways of trips, and liquidity added and taken out.
    expect(simulated).toHaveLength(9);
    for (const index of simulated.keys()) {
      let seen = 0;
      const through = fixture.answering((read) => {
        if (read.kind !== "call" || read.overrides === undefined) return undefined;
        seen += 1;
        return seen === index + 1 ? answer : undefined;
      });
      const result = await guard(input, through);
      expect(result.verdict).toBe("review");
      const isTrip = index < 8;
      expect(result.reasonCodes).toContain(isTrip ? "SIMULATION_UNAVAILABLE" : "LIQUIDITY_TRIAL_UNREAD");
      expect(result.reasonCodes.includes("ROUND_TRIP_AS_STATED")).toBe(!isTrip);
    }
  });

  test("any one other read unanswered is never allowed", async () => {
    const input = await openPlain();
    const { asked, verdict } = await guard(input);
    expect(verdict).toBe("allow");
    const reads = asked.flat().filter((read) => read.kind !== "header" && read.kind !== "proof");
    const allowed: ChainRead[] = [];
    for (const one of reads) {
      const same = JSON.stringify(one, stringify);
      const through = fixture.answering((read) =>
        JSON.stringify(read, stringify) === same ? unanswered("timeout") : undefined,
      );
      if ((await guard(input, through)).verdict === "allow") allowed.push(one);
    }
    expect(allowed.filter((read) => !unjudged(read))).toEqual([]);
  });

  test("a node that answers with something else than the probe has not answered", async () => {
    const through = fixture.answering((read) =>
      read.kind === "call" && read.overrides !== undefined
        ? { status: "value", value: `0x${"07".repeat(64)}` }
        : undefined,
    );
    const result = await guard(await openPlain(), through);
    expect(result.verdict).toBe("review");
    expect(result.readings.trips[0]?.runs).toEqual(unanswered("malformed_answer"));
  });
});

const stringify = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
