import type { Hex } from "viem";
import { describe, expect, test } from "vitest";
import {
  ITSELF,
  PACKED,
  POOLS,
  packed,
  SENDER,
  type Step,
  writeProgram,
} from "../shared/swaps/testing/writeProgram.js";
import type { Transaction } from "../testing/swapOrders.js";
import { swapInV4, usePublishedRouter } from "./testing/publishedRouter.js";
import { type DescribedSwap, dollars, ether, type Measured, useSwapFixture } from "./testing/swapFixture.js";

const world = useSwapFixture();
const NOTHING = { native: "0", tokenIn: "0", tokenOut: "0", others: "0" };
const router = usePublishedRouter(world);

interface Order {
  readonly name: string;
  readonly function: string;
  readonly kind: "exactIn" | "exactOut";
  readonly exact: bigint;
  readonly isPaidInEther?: true;
  steps(recipient: Hex, limit: bigint): readonly Step[];
}

const orders: readonly Order[] = [
  {
    name: "V2, an exact input",
    function: "V2_SWAP_EXACT_IN",
    kind: "exactIn",
    exact: dollars("500"),
    steps(recipient, limit) {
      const { usdc, plainToken } = world.tokens;
      return [[0x08, POOLS, [recipient, this.exact, limit, [usdc, plainToken], true]]];
    },
  },
  {
    name: "V2, an exact output through two pools",
    function: "V2_SWAP_EXACT_OUT",
    kind: "exactOut",
    exact: ether("100"),
    steps(recipient, limit) {
      const { usdc, weth, plainToken } = world.tokens;
      return [[0x09, POOLS, [recipient, this.exact, limit, [usdc, weth, plainToken], true]]];
    },
  },
  {
    name: "V3, an exact input of ether",
    function: "V3_SWAP_EXACT_IN",
    kind: "exactIn",
    exact: ether("1"),
    isPaidInEther: true,
    steps(recipient, limit) {
      const { weth, usdc } = world.tokens;
      return [
        [0x0b, "address, uint256", [ITSELF, this.exact]],
        [0x00, PACKED, [recipient, this.exact, limit, packed(weth, 500, usdc), false]],
      ];
    },
  },
  {
    name: "V3, an exact input for ether",
    function: "V3_SWAP_EXACT_IN",
    kind: "exactIn",
    exact: dollars("900"),
    steps(recipient, limit) {
      const { weth, usdc } = world.tokens;
      return [
        [0x00, PACKED, [ITSELF, this.exact, limit, packed(usdc, 500, weth), true]],
        [0x0c, "address, uint256", [recipient, limit]],
      ];
    },
  },
  {
    name: "V3, an exact output",
    function: "V3_SWAP_EXACT_OUT",
    kind: "exactOut",
    exact: dollars("300"),
    steps(recipient, limit) {
      const { weth, usdc } = world.tokens;
      return [[0x01, PACKED, [recipient, this.exact, limit, packed(usdc, 500, weth), true]]];
    },
  },
  {
    name: "V4, an exact input",
    function: "SWAP_EXACT_IN_SINGLE",
    kind: "exactIn",
    exact: ether("0.5"),
    steps(recipient, limit) {
      return [swapInV4(world, recipient, this.exact, limit)];
    },
  },
];

async function write(order: Order, recipient: Hex, limit: bigint): Promise<Transaction> {
  return {
    from: world.alice,
    to: router().address as Hex,
    data: writeProgram(order.steps(recipient, limit), await world.soon()),
    value: order.isPaidInEther ? order.exact.toString() : "0",
  };
}
const guard = (transaction: Transaction) => world.guard(transaction, world.chain, [router()]);

/** One percent off what it gives, as an honest wallet would set it. */
async function findLimit(order: Order): Promise<bigint> {
  const loose = order.kind === "exactOut" ? ether("5000") : 1n;
  const { paid, received } = (await guard(await write(order, SENDER, loose))).findings.measured as Measured;
  return order.kind === "exactOut" ? (BigInt(paid) * 101n) / 100n : (BigInt(received) * 99n) / 100n;
}

describe.each(orders)("$name through the published router", (order) => {
  test("is allowed where it is fair, and gives what was measured", async () => {
    const transaction = await write(order, SENDER, await findLimit(order));
    const { verdict, reasonCodes, findings, readings } = await guard(transaction);
    expect([verdict, reasonCodes]).toEqual(["allow", ["LIMIT_WITHIN_TOLERANCE"]]);
    const swap = findings.swap as DescribedSwap;
    expect(swap).toMatchObject({
      router: "universal_router",
      function: order.function,
      kind: order.kind,
      recipient: world.alice,
    });
    // Part of what is bought is sold back through the same router; ether is not sold.
    const resale = swap.tokenOut.isNative ? null : { approved: true, success: true };
    expect(readings.simulation).toMatchObject({ value: { resale } });
    const sent = await world.sendAndCount(transaction, swap);
    expect(findings.measured).toMatchObject({ ...sent, leftInRouter: NOTHING });
    expect(BigInt(sent.received)).toBeGreaterThan(0n);
  });

  test("is not allowed for another recipient, or without a limit", async () => {
    const limit = await findLimit(order);
    const away = await guard(await write(order, world.bob, limit));
    expect([away.verdict, away.reasonCodes]).toEqual([
      "review",
      ["RECIPIENT_NOT_SENDER", "LIMIT_WITHIN_TOLERANCE"],
    ]);
    const isOut = order.kind === "exactOut";
    const open = await guard(await write(order, SENDER, isOut ? limit * 10n : 0n));
    expect([open.verdict, open.reasonCodes]).toEqual([
      "block",
      [isOut ? "MAX_IN_UNBOUNDED" : "MIN_OUT_ZERO"],
    ]);
  });
});

describe("a program of the published router", () => {
  test("that pays most of what comes out to another account is blocked", async () => {
    const { weth, usdc } = world.tokens;
    const data = writeProgram([
      [0x00, PACKED, [ITSELF, dollars("900"), ether("0.29"), packed(usdc, 500, weth), true]],
      [0x06, "address, address, uint256", [weth, world.bob, 6_000n]],
      [0x04, "address, address, uint256", [weth, SENDER, ether("0.1")]],
    ]);
    const result = await guard({ from: world.alice, to: router().address as Hex, data, value: "0" });
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toEqual(expect.arrayContaining(["PORTION_EXCESSIVE", "RESALE_LOSS_SEVERE"]));
  });

  test("whose V4 pool has a hook that takes a tenth is a review", async () => {
    const hook = world.devnet.contracts.v4SkimmingHook;
    const data = writeProgram([swapInV4(world, SENDER, ether("0.5"), ether("660"), { hooks: hook })]);
    const result = await guard({ from: world.alice, to: router().address as Hex, data, value: "0" });
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toEqual(expect.arrayContaining(["HOOK_UNKNOWN", "RESALE_LOSS_HIGH"]));
  });
});
