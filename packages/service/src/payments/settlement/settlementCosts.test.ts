import { until } from "@assay/chain/testing/until";
import type { Hex } from "@assay/protocol";
import { pino } from "pino";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLocalSigner } from "../../base/signers/digestSigner.js";
import { createInProcessFacilitator } from "./inProcessFacilitator.js";
import { createSettlementCosts, type SettlementCosts } from "./settlementCosts.js";
import { openSettlement, type SettlementFixture } from "./testing/settlementFixture.js";

const l1BlockAbi = parseAbi(["function setL1Fees(uint256 basefee, uint256 blobBaseFee)"]);
/** Wei per gas: the least base fee of Base and a usual tip. */
const GAS_PRICE = 6_000_000n;

let world: SettlementFixture;
beforeAll(async () => {
  world = await openSettlement({ blockTimeMs: 100 });
});
afterEach(() => {
  world.intercept = undefined;
});
afterAll(() => world.close());

const known = (costs: SettlementCosts) =>
  until(async () => (costs.estimate(1, GAS_PRICE) === undefined ? undefined : true));

/** Costs that say this much for any transaction and half as much again for each further transfer. */
const costing = (microUsd: bigint): SettlementCosts => ({
  estimateChannelCall: () => undefined,
  estimate: (transfers) => microUsd + (microUsd * BigInt(transfers - 1)) / 2n,
  measure: () => microUsd,
});
const openLane = (costs: SettlementCosts, batchWaitMs = 400) =>
  world.openLane({ batchWaitMs }, world.devnet.settler.privateKey, { costs });

describe("the estimate", () => {
  test("is what the chain takes for gas, never less and not much more", async () => {
    const lane = world.openLane();
    // The first payment ever writes the payee's balance, which costs more.
    await lane.deliver(world.toDelivery(world.sign()));
    for (const count of [1, 2, 10, 50]) {
      const outcomes = await Promise.all(
        Array.from({ length: count }, () => lane.deliver(world.toDelivery(world.sign()))),
      );
      const first = outcomes[0] as { transaction: string };
      const { gasUsed } = await world.devnet.request<{ gasUsed: Hex }>("eth_getTransactionReceipt", [
        first.transaction,
      ]);
      const costs = createSettlementCosts(world.chain);
      await known(costs);
      const estimate = Number(costs.estimate(count, 1_000_000_000n));
      const measured = Number(
        costs.measure({ gasUsed: BigInt(gasUsed), weiPerGas: 1_000_000_000n, l1Fee: 0n }),
      );
      expect(estimate).toBeGreaterThan(measured);
      expect(estimate).toBeLessThan(1.3 * measured);
    }
  });

  test("grows with the fee for data on L1, less for each transfer of a batch", async () => {
    const before = createSettlementCosts(world.chain);
    await known(before);
    const cheap = before.estimate(1, GAS_PRICE) as bigint;
    const set = (wei: bigint) =>
      world.send(
        world.keyOf("judy"),
        world.devnet.contracts.l1Block,
        encodeFunctionData({ abi: l1BlockAbi, functionName: "setL1Fees", args: [wei, 1n] }),
      );
    await set(1_000_000_000_000n);
    const after = createSettlementCosts(world.chain);
    await known(after);
    await set(1_000_000_000n);
    const dear = after.estimate(1, GAS_PRICE) as bigint;
    expect(dear).toBeGreaterThan(10n * cheap);
    expect(after.estimate(10, GAS_PRICE)).toBeLessThan(10n * dear);
  });

  test.each(["GasPriceOracle", "feed"])("is not known without the %s, and is not guessed", async (part) => {
    world.intercept = (method, [call]) => {
      const data = method === "eth_call" ? (call as { data: string }).data : "";
      const isHit = part === "feed" ? data.startsWith("0xfeaf968c") : data.startsWith("0x82ad56cb");
      return isHit ? { result: "0x" } : undefined;
    };
    const costs = createSettlementCosts(world.chain);
    await new Promise((resume) => setTimeout(resume, 200));
    expect(costs.estimate(1, GAS_PRICE)).toBeUndefined();
  });
});

describe("a payment of 20,000 micro-dollars", () => {
  test("that pays for its transaction is settled at once, and its cost is reported", async () => {
    const outcome = await openLane(costing(20_000n)).deliver(world.toDelivery(world.sign()));
    expect(outcome).toMatchObject({ status: "settled", costMicroUsd: 20_000n });
  });

  test("that costs a tenth of a cent more than it pays is settled at once", async () => {
    const deliver = (costs: bigint) => openLane(costing(costs)).deliver(world.toDelivery(world.sign()));
    expect((await deliver(21_000n)).status).toBe("settled");
    expect((await deliver(21_001n)).status).toBe("not_sent");
  });

  test("that does not, waits for others to share one with", async () => {
    // Three pay 60,000 for a transaction of 30,000 and twice 15,000.
    const lane = openLane(costing(30_000n), 5_000);
    const outcomes = await Promise.all(
      [0, 150, 300].map(async (delayMs) => {
        await new Promise((resume) => setTimeout(resume, delayMs));
        return lane.deliver(world.toDelivery(world.sign()));
      }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill("settled"));
    expect(new Set(outcomes.map((outcome) => "transaction" in outcome && outcome.transaction)).size).toBe(1);
  });

  test("that waits does not hold up one behind it that travels alone", async () => {
    const lane = openLane(costing(30_000n), 2_000);
    const cheap = lane.deliver(world.toDelivery(world.sign()));
    const { wallet1271 } = world.devnet.contracts;
    const alone = world.toDelivery(world.sign({ from: wallet1271, value: 40_000n }), true);
    const first = await Promise.race([cheap, lane.deliver(alone)]);
    expect(first.status).toBe("settled");
    expect(await cheap).toMatchObject({ status: "not_sent", isBelowCost: true });
  });

  test("that waited in vain was not sent, and the reason names the cost", async () => {
    const signed = world.sign();
    const outcome = await openLane(costing(30_000n)).deliver(world.toDelivery(signed));
    expect(outcome).toMatchObject({ status: "not_sent", isBelowCost: true, reason: /cost 30000 micro/ });
    expect(await world.isUsed(signed)).toBe(false);
  });

  test("whose outcome is open is delivered at any cost", async () => {
    const delivery = { ...world.toDelivery(world.sign()), atAnyCost: true };
    expect((await openLane(costing(30_000n)).deliver(delivery)).status).toBe("settled");
  });
});

test("a price below its share of any batch is refused before work, unless the operator says otherwise", async () => {
  const options = {
    chain: world.chain,
    signers: [createLocalSigner(world.devnet.settler.privateKey)],
    logger: pino({ level: "silent" }),
    maxTipWei: 1_000_000_000n,
  };
  const facilitator = createInProcessFacilitator(options);
  // At a tip of one gwei a transfer costs more than ten cents.
  const refusal = await until(async () => facilitator.findCostRefusal?.(1_000n));
  expect(refusal).toMatch(/even among others, more than it pays/);
  expect(facilitator.findCostRefusal?.(1_000_000n)).toBeUndefined();
  const generous = createInProcessFacilitator({ ...options, settlesBelowCost: true });
  expect(generous.findCostRefusal?.(1_000n)).toBeUndefined();
  await Promise.all([facilitator.close(), generous.close()]);
});
