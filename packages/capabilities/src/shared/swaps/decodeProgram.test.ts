import type { Hex } from "@assay/protocol";
import { zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import { WETH } from "../chain-facts/knownContracts.js";
import { type DecodedSwap, decodeSwap } from "./decodeSwap.js";
import { encodeResale } from "./encodeResale.js";
import { encodeSimulatedSwap } from "./encodeSimulatedSwap.js";
import { encodeSmallSwap } from "./encodeSmallSwap.js";
import type { SwapRouter } from "./swapRouters.js";
import {
  ITSELF,
  PACKED,
  POOL_KEY,
  POOLS,
  packed,
  SENDER,
  type Step,
  v4Step,
  writeProgram,
} from "./testing/writeProgram.js";

const FROM: Hex = `0x${"11".repeat(20)}`;
const FEES: Hex = `0x${"77".repeat(20)}`;
const HOOK: Hex = `0x${"66".repeat(20)}`;
const PAID: Hex = `0x${"22".repeat(20)}`;
const BOUGHT: Hex = `0x${"44".repeat(20)}`;
const ROUTER: Hex = `0x${"55".repeat(20)}`;
const HELD = 2n ** 255n;
const router: SwapRouter = { kind: "universal_router", address: ROUTER, factories: [] };

const decodeAll = (steps: readonly Step[], value = "0", deadline?: bigint) =>
  decodeSwap({ from: FROM, to: ROUTER, data: writeProgram(steps, deadline), value }, [router]);
function decode(steps: readonly Step[], value = "0", deadline?: bigint): DecodedSwap {
  const decoded = decodeAll(steps, value, deadline);
  if ("unsupported" in decoded) throw new Error(decoded.unsupported.rule);
  return decoded.swap;
}

const wrap: Step = [0x0b, "address, uint256", [ITSELF, 900n]];
const single = (zeroForOne: boolean, amounts: readonly [bigint, bigint], code = 0x06): Step => [
  code,
  `(${POOL_KEY}, bool zeroForOne, uint128 amount, uint128 limit, bytes hookData) swap`,
  [
    {
      poolKey: { currency0: zeroAddress, currency1: BOUGHT, fee: 500, tickSpacing: 10, hooks: HOOK },
      zeroForOne,
      amount: amounts[0],
      limit: amounts[1],
      hookData: "0x",
    },
  ],
];
const settleAll = (currency: Hex): Step => [0x0c, "address, uint256", [currency, 900n]];
const takeAll = (currency: Hex, least: bigint): Step => [0x0f, "address, uint256", [currency, least]];

describe("the one swap in a program is read", () => {
  test("in V2 pools, for an exact input, with a deadline", () => {
    const swap = decode([[0x08, POOLS, [SENDER, 900n, 100n, [PAID, BOUGHT], true]]], "0", 77n);
    expect(swap).toMatchObject({
      family: "classic",
      kind: "exactIn",
      tokenIn: PAID,
      tokenOut: BOUGHT,
      amountIn: 900n,
      amountOut: 100n,
      recipient: FROM,
      deadline: 77n,
      isNativeIn: false,
    });
  });

  test("in V3 pools, for an exact output, whose path is backwards", () => {
    const swap = decode([[0x01, PACKED, [SENDER, 100n, 900n, packed(BOUGHT, 500, WETH, 3000, PAID), true]]]);
    expect(swap).toMatchObject({
      kind: "exactOut",
      tokenIn: PAID,
      tokenOut: BOUGHT,
      amountIn: 900n,
      amountOut: 100n,
    });
    expect(swap.hops.map(({ fee }) => fee)).toEqual([3000, 500]);
    expect(swap.deadline).toBeNull();
  });

  test("with native value that is wrapped first", () => {
    const path = packed(WETH, 3000, BOUGHT);
    const swap = decode([wrap, [0x00, PACKED, [SENDER, HELD, 100n, path, false]]], "900");
    expect(swap).toMatchObject({ isNativeIn: true, amountIn: 900n, amountOut: 100n, recipient: FROM });
  });

  test("with an output that is unwrapped, after a portion for another", () => {
    const swap = decode([
      [0x00, PACKED, [ITSELF, 900n, 0n, packed(PAID, 3000, WETH), true]],
      [0x06, "address, address, uint256", [WETH, FEES, 25n]],
      [0x0c, "address, uint256", [SENDER, 95n]],
    ]);
    expect(swap).toMatchObject({ isNativeOut: true, amountOut: 95n, recipient: FROM, otherRecipients: [] });
    expect(swap.program?.portions).toEqual([{ recipient: FEES, bips: 25 }]);
  });

  test("with an output that is swept to another", () => {
    const swap = decode([
      [0x08, POOLS, [ITSELF, 900n, 0n, [PAID, BOUGHT], true]],
      [0x04, "address, address, uint256", [BOUGHT, FEES, 95n]],
    ]);
    expect(swap).toMatchObject({ amountOut: 95n, recipient: FEES });
  });

  test("in a V4 pool for native value, with its hook and the larger of both minimums", () => {
    const swap = decode(
      [v4Step(single(true, [900n, 10n]), settleAll(zeroAddress), takeAll(BOUGHT, 100n))],
      "900",
    );
    expect(swap).toMatchObject({
      family: "concentrated",
      functionName: "SWAP_EXACT_IN_SINGLE",
      isNativeIn: true,
      tokenIn: WETH,
      tokenOut: BOUGHT,
      amountIn: 900n,
      amountOut: 100n,
      recipient: FROM,
    });
    expect(swap.hops).toMatchObject([{ fee: 500, tickSpacing: 10, hooks: HOOK }]);
  });

  test("in a V4 pool for an exact output, taken out for another", () => {
    const take: Step = [0x0e, "address, address, uint256", [zeroAddress, FEES, 0n]];
    const swap = decode([v4Step(single(false, [100n, 900n], 0x08), settleAll(BOUGHT), take)]);
    expect(swap).toMatchObject({
      kind: "exactOut",
      tokenIn: BOUGHT,
      isNativeOut: true,
      amountIn: 900n,
      amountOut: 100n,
      recipient: FEES,
    });
  });
});

describe("a program that is more than one swap is refused", () => {
  const swap: Step = [0x08, POOLS, [SENDER, 900n, 100n, [PAID, BOUGHT], true]];
  const cases: readonly [string, readonly Step[], RegExp][] = [
    ["two swaps", [swap, swap], /2 swaps/],
    ["none", [wrap], /0 swaps/],
    [
      "what the router holds",
      [[0x08, POOLS, [SENDER, 900n, 1n, [PAID, BOUGHT], false]]],
      /router itself holds/,
    ],
    ["a step that may fail", [[0x88, POOLS, [SENDER, 900n, 1n, [PAID, BOUGHT], true]]], /may fail/],
    ["an unknown step", [swap, [0x3e, "uint256", [1n]]], /not understood/],
    ["a plan inside", [swap, [0x21, "bytes, bytes[]", ["0x", []]]], /EXECUTE_SUB_PLAN/],
    ["V4 without payment", [v4Step(single(true, [900n, 10n]), takeAll(BOUGHT, 1n))], /not paid for/],
  ];
  test.each(cases)("%s", (_, steps, rule) => {
    expect(decodeAll(steps, "900")).toMatchObject({
      unsupported: { field: "data", rule: expect.stringMatching(rule) },
    });
  });
});

describe("a swap is written again", () => {
  const samples: readonly [string, DecodedSwap, string][] = [
    ["V2", decode([[0x08, POOLS, [SENDER, 900n, 100n, [PAID, WETH, BOUGHT], true]]]), "0"],
    ["V3", decode([[0x00, PACKED, [SENDER, 900n, 100n, packed(PAID, 500, WETH, 3000, BOUGHT), true]]]), "0"],
    [
      "V3 for an exact output",
      decode([[0x01, PACKED, [SENDER, 900n, 100n, packed(BOUGHT, 500, PAID), true]]]),
      "0",
    ],
    [
      "wrapped",
      decode([wrap, [0x00, PACKED, [SENDER, 900n, 100n, packed(WETH, 500, BOUGHT), false]]], "900"),
      "900",
    ],
    [
      "V4",
      decode([v4Step(single(true, [900n, 100n]), settleAll(zeroAddress), takeAll(BOUGHT, 1n))], "900"),
      "900",
    ],
  ];
  test.each(samples)("a hundredth of it: %s", (_, swap, value) => {
    const small = encodeSmallSwap(swap, { from: FROM, to: ROUTER, data: "0x", value });
    const again = decodeSwap(small as never, [router]);
    expect(again).toMatchObject({
      swap: {
        kind: swap.kind,
        tokenIn: swap.tokenIn,
        tokenOut: swap.tokenOut,
        isNativeIn: swap.isNativeIn,
        recipient: FROM,
        ...(swap.kind === "exactIn" ? { amountIn: 9n, amountOut: 0n } : { amountOut: 9n, amountIn: 100n }),
      },
    });
    expect("swap" in again && again.swap.hops).toEqual(swap.hops);
  });

  test.each(samples)("backwards: %s", (_, swap) => {
    const resale = encodeResale(swap, { from: FROM, to: ROUTER });
    const sold = decodeSwap({ from: FROM, to: ROUTER, data: resale?.sale.data as Hex, value: "0" }, [router]);
    const back = [...swap.hops].reverse();
    expect("swap" in sold && sold.swap).toMatchObject({
      kind: "exactIn",
      amountIn: resale?.amount,
      tokenIn: swap.tokenOut,
      tokenOut: swap.tokenIn,
      hops: back.map(({ tokenIn, tokenOut, ...pool }) => ({ ...pool, tokenIn: tokenOut, tokenOut: tokenIn })),
    });
  });
});

test("a signature for Permit2 is left out of what is simulated, and the permission is known", () => {
  const PERMIT =
    "((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permit, bytes signature";
  const details = { token: PAID, amount: 900n, expiration: 99, nonce: 0 };
  const permit: Step = [
    0x0a,
    PERMIT,
    [{ details, spender: ROUTER, sigDeadline: 99n }, `0x${"ab".repeat(65)}`],
  ];
  const plain: Step = [0x08, POOLS, [SENDER, 900n, 100n, [PAID, BOUGHT], true]];
  const swap = decode([permit, plain], "0", 7n);
  expect(swap.program?.permits).toEqual([{ token: PAID, spender: ROUTER, amount: 900n, expiration: 99 }]);
  const transaction = { from: FROM, to: ROUTER, data: writeProgram([permit, plain], 7n), value: "0" };
  expect(encodeSimulatedSwap(swap, transaction).data).toBe(writeProgram([plain], 7n));
});
