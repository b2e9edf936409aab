import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi, zeroAddress } from "viem";
import { afterAll, describe, expect, test } from "vitest";
import { ROUTER_SENTINEL, SENDER_SENTINEL, v3Abi } from "../testing/swapAbi.js";
import {
  multicall,
  multicallOrders,
  plainMulticall,
  refund,
  type SwapOrder,
  type SwapScene,
  sweep,
  type Transaction,
  unwrap,
  v2Orders,
  v3Orders,
} from "../testing/swapOrders.js";
import { gatherer } from "./gather/gather.js";
import { swapGuardReasons } from "./reasons.js";
import { rule } from "./rule.js";
import { dollars, ether, useSwapFixture } from "./testing/swapFixture.js";

const swapGuard = { ...rule, ...gatherer };

const world = useSwapFixture();
type Token = keyof typeof world.tokens;
type Guarded = Awaited<ReturnType<typeof world.guard>>;

const seen = new Set<string>();
/** Met in unread.test.ts. */
const ofUnread = [
  "CODE_UNREAD",
  "SWAP_UNREAD",
  "SIMULATION_UNAVAILABLE",
  "SIMULATION_DISAGREES",
  "PRICE_IMPACT_UNMEASURED",
];
/** Met in resale.test.ts. */
const ofResales = ["BOUGHT_TOKEN_NOT_SELLABLE", "RESALE_LOSS_HIGH", "RESALE_LOSS_SEVERE"];
/** Met in judgeBought.test.ts. */
const ofBought = ["BOUGHT_TOKEN_SOUND", "BOUGHT_TOKEN_DOUBTFUL", "BOUGHT_TOKEN_TRAPS"];
/** Met in judgeParties.test.ts. */
const ofParties = ["HOOK_KNOWN", "HOOK_UNKNOWN", "PORTION_SMALL", "PORTION_LARGE", "PORTION_EXCESSIVE"];
/** Met in outflows.test.ts. */
const ofOutflows = [
  "OTHER_ASSET_MOVED",
  "OTHER_ASSET_LOST",
  "PAID_ABOVE_INPUT",
  "PAID_FAR_ABOVE_INPUT",
  "VALUE_FAR_ABOVE_INPUT",
  "PERMIT_ASTRAY",
  "PERMIT_LASTS_LONG",
];
/** Met in market.test.ts. */
const ofMarkets = ["PRICE_BELOW_MARKET", "PRICE_FAR_BELOW_MARKET", "PATH_FEE_HIGH", "PATH_FEE_EXCESSIVE"];
afterAll(() => {
  const elsewhere = [ofUnread, ofResales, ofBought, ofParties, ofOutflows, ofMarkets];
  const met = new Set([...seen, ...elsewhere.flat()]);
  expect([...met].sort()).toEqual(Object.keys(swapGuardReasons).sort());
});

/** The verdict and reasons, which are noted as met. */
function expectReasons(
  { verdict, reasonCodes }: Pick<Guarded, "verdict" | "reasonCodes">,
  expected: string[],
) {
  for (const code of reasonCodes) seen.add(code);
  expect([verdict, ...reasonCodes]).toEqual(expected);
}

const scene = async (router: Hex, changes: Partial<SwapScene> = {}): Promise<SwapScene> => ({
  from: world.alice,
  router,
  deadline: await world.soon(),
  ...changes,
});
const tokensOf = (path: readonly Token[]) => path.map((token) => world.tokens[token]);

interface Ask {
  readonly order?: SwapOrder;
  readonly path?: readonly Token[];
  readonly exact?: bigint;
  readonly limit: bigint;
  readonly at?: Partial<SwapScene>;
  readonly router?: Hex;
}
/** 300 dollars for ether through the classic router, or what is asked instead. One ether is 3,000 dollars. */
async function build({ order, path, exact, limit, at, router }: Ask): Promise<Transaction> {
  const make = order ?? v2Orders.swapExactTokensForTokens;
  const where = await scene(router ?? world.v2, at);
  return make(where, tokensOf(path ?? ["usdc", "weth"]), exact ?? dollars("300"), limit);
}
const guard = async (ask: Ask) => world.guard(await build(ask));
/** One percent less than what 300 dollars give. */
const FAIR = ether("0.0986");

describe("limits against the simulated result", () => {
  test("near it: allow", async () => {
    expectReasons(await guard({ limit: FAIR }), ["allow", "LIMIT_WITHIN_TOLERANCE"]);
  });

  test.each<[string, bigint, string[]]>([
    ["zero", 0n, ["block", "MIN_OUT_ZERO"]],
    ["one unit", 1n, ["block", "MIN_OUT_NEGLIGIBLE", "RESALE_UNMEASURED"]],
    ["a tenth less", ether("0.09"), ["review", "MIN_OUT_BELOW_TOLERANCE"]],
  ])("a minimum output of %s", async (_, limit, expected) => {
    expectReasons(await guard({ limit }), expected);
  });

  test.each<[string, bigint, string[]]>([
    ["a percent more", dollars("303.9"), ["allow", "LIMIT_WITHIN_TOLERANCE"]],
    ["a tenth more", dollars("331"), ["review", "MAX_IN_ABOVE_TOLERANCE"]],
    ["three times as much", dollars("900"), ["block", "MAX_IN_UNBOUNDED"]],
  ])("a maximum input of %s", async (_, limit, expected) => {
    const order = v2Orders.swapTokensForExactTokens;
    expectReasons(await guard({ order, exact: ether("0.1"), limit }), expected);
  });

  test("the minimum of the unwrapping counts where the swap itself has none", async () => {
    const order = multicallOrders["exactInput, then unwrapWETH9"];
    expectReasons(await guard({ order, router: world.v3, limit: 0n }), ["block", "MIN_OUT_ZERO"]);
    expectReasons(await guard({ order, router: world.v3, limit: FAIR }), ["allow", "LIMIT_WITHIN_TOLERANCE"]);
  });
});

describe("who receives it", () => {
  test("another account is a review", async () => {
    const result = await guard({ limit: FAIR, at: { recipient: world.bob } });
    expectReasons(result, ["review", "RECIPIENT_NOT_SENDER", "LIMIT_WITHIN_TOLERANCE"]);
    expect(result.findings.swap).toMatchObject({ recipient: world.bob });
  });

  test("another account at the end of a multicall is seen too", async () => {
    const order = multicallOrders["exactInput, then unwrapWETH9"];
    const ask = { order, router: world.v3, limit: FAIR, at: { recipient: world.bob } };
    expectReasons(await guard(ask), ["review", "RECIPIENT_NOT_SENDER", "LIMIT_WITHIN_TOLERANCE"]);
  });

  test("the sentinels of a swap mean nobody to the unwrapping", async () => {
    const order = multicallOrders["exactInput, then unwrapWETH9"];
    const ask = { order, router: world.v3, limit: FAIR, at: { recipient: SENDER_SENTINEL } };
    expectReasons(await guard(ask), ["block", "OUTPUT_UNREACHABLE", "LIMIT_WITHIN_TOLERANCE"]);
  });

  test("a helper that sends the rest to somebody else is seen", async () => {
    const swap = await build({ order: v3Orders.exactInputSingle, router: world.v3, limit: FAIR });
    const data = plainMulticall([swap.data, sweep(world.tokens.usdc, 0n, world.bob)]);
    const result = await world.guard({ ...swap, data });
    expectReasons(result, ["review", "RECIPIENT_NOT_SENDER", "DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE"]);
  });

  test("what stays in the router is lost", async () => {
    const order = v3Orders.exactInputSingle;
    const left = await guard({ order, router: world.v3, limit: FAIR, at: { recipient: ROUTER_SENTINEL } });
    expectReasons(left, [
      "block",
      "OUTPUT_UNREACHABLE",
      "DEADLINE_ABSENT",
      "LIMIT_WITHIN_TOLERANCE",
      "FUNDS_LEFT_IN_ROUTER",
    ]);
  });

  test("an unwrapping before the swap takes nothing on", async () => {
    const at = { recipient: ROUTER_SENTINEL };
    const swap = await build({ order: v3Orders.exactInputSingle, router: world.v3, limit: FAIR, at });
    const data = plainMulticall([unwrap(0n, world.alice), swap.data]);
    const { verdict, reasonCodes } = await world.guard({ ...swap, data });
    expect(verdict).toBe("block");
    expect(reasonCodes).toContain("FUNDS_LEFT_IN_ROUTER");
  });

  test("value that is not refunded stays there too, and is not counted as paid", async () => {
    const ask = { order: v3Orders.exactOutputSingle, path: ["weth", "usdc"], router: world.v3 } as const;
    const swap = await build({ ...ask, exact: dollars("300"), limit: ether("0.101") });
    const paying = { ...swap, value: ether("0.2").toString() };
    const kept = await world.guard(paying);
    expectReasons(kept, ["block", "DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE", "FUNDS_LEFT_IN_ROUTER"]);
    const data = plainMulticall([swap.data, refund()]);
    const refunded = await world.guard({ ...paying, data });
    expectReasons(refunded, ["allow", "DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE"]);
    const risked = await world.guard({ ...paying, data, value: ether("0.3").toString() });
    expectReasons(risked, ["review", "DEADLINE_ABSENT", "VALUE_ABOVE_INPUT", "LIMIT_WITHIN_TOLERANCE"]);
    const paidOf = ({ findings }: Guarded) => (findings.measured as { paid: string }).paid;
    expect(paidOf(kept)).toBe(paidOf(refunded));
  });
});

describe("until when", () => {
  test.each<[string, bigint, string[]]>([
    ["just under an hour", 3500n, ["allow", "LIMIT_WITHIN_TOLERANCE"]],
    ["over an hour", 3700n, ["review", "DEADLINE_FAR", "LIMIT_WITHIN_TOLERANCE"]],
    ["a minute ago", -60n, ["block", "SWAP_REVERTS", "DEADLINE_PASSED"]],
  ])("a deadline %s", async (_, seconds, expected) => {
    const deadline = (await world.soon()) - 600n + seconds;
    expectReasons(await guard({ limit: FAIR, at: { deadline } }), expected);
  });

  test("a multicall's deadline is the swap's", async () => {
    const swap = await build({ order: v3Orders.exactInputSingle, router: world.v3, limit: FAIR });
    const deadline = (await world.soon()) + 7200n;
    const far = await world.guard({ ...swap, data: multicall(deadline, [swap.data]) });
    expectReasons(far, ["review", "DEADLINE_FAR", "LIMIT_WITHIN_TOLERANCE"]);
  });
});

describe("bound to a block hash", () => {
  const bind = async (hashOf: (block: { hash: Hex; parentHash: Hex }) => Hex) => {
    const swap = await build({ order: v3Orders.exactInputSingle, router: world.v3, limit: FAIR });
    const hash = hashOf(await world.chain.latestBlock());
    const args = [hash, [swap.data]] as const;
    return { ...swap, data: encodeFunctionData({ abi: v3Abi, functionName: "multicall", args }) };
  };

  test("of the newest block, it is good for the next one, and says so", async () => {
    const transaction = await bind(({ hash }) => hash);
    expectReasons(await world.guard(transaction), ["review", "BLOCK_HASH_BOUND", "LIMIT_WITHIN_TOLERANCE"]);
    await world.send(transaction);
  });

  test("of an earlier one, it fails", async () => {
    const transaction = await bind(({ parentHash }) => parentHash);
    expectReasons(await world.guard(transaction), ["block", "BLOCK_HASH_PASSED", "LIMIT_WITHIN_TOLERANCE"]);
    await expect(world.send(transaction)).rejects.toThrow();
  });
});

describe("what it does to the price", () => {
  test.each<[string, bigint, bigint, string[]]>([
    [
      "a tenth of the pool",
      dollars("300000"),
      ether("90"),
      ["review", "LIMIT_WITHIN_TOLERANCE", "PRICE_IMPACT"],
    ],
    [
      "a third of the pool",
      dollars("950000"),
      ether("239"),
      ["block", "LIMIT_WITHIN_TOLERANCE", "PRICE_IMPACT_SEVERE"],
    ],
  ])("a swap of %s", async (_, exact, limit, expected) => {
    const result = await guard({ exact, limit });
    expectReasons(result, expected);
    const { atLeast, atMost } = result.findings.priceImpactBps as { atLeast: number; atMost: number };
    // x ÷ (R + x) of a constant product, but for the fee and the hundredth it is measured against.
    const expectedBps = Number((exact * 10_000n) / (dollars("3000000") + exact));
    expect(Math.abs(atLeast - expectedBps)).toBeLessThan(expectedBps / 40);
    expect(atMost - atLeast).toBeLessThanOrEqual(1);
  });

  test.each<[string, Token[], bigint, bigint, string[]]>([
    ["that has no hundredth", ["usdc", "weth"], 60n, 19_500_000_000n, ["RESALE_UNMEASURED"]],
    [
      "whose hundredth is too few units to distinguish it from rounding",
      ["weth", "usdc"],
      169_000_000_000n,
      490n,
      [],
    ],
  ])("of a swap %s is not known", async (_, path, exact, limit, others) => {
    const result = await guard({ path, exact, limit });
    expectReasons(result, ["review", "LIMIT_WITHIN_TOLERANCE", "PRICE_IMPACT_UNMEASURED", ...others]);
  });
});

describe("tokens that keep a part of each transfer", () => {
  test("bought by a function that does not allow for it, they bring less than the limit asks", async () => {
    const result = await guard({ path: ["weth", "taxedToken"], exact: ether("0.1"), limit: ether("980") });
    expectReasons(result, ["block", "RECEIVED_BELOW_MINIMUM", "FEE_ON_TRANSFER_UNSUPPORTED_FN"]);
    const loose = await guard({ path: ["weth", "taxedToken"], exact: ether("0.1"), limit: ether("960") });
    expectReasons(loose, ["review", "LIMIT_WITHIN_TOLERANCE", "FEE_ON_TRANSFER_UNSUPPORTED_FN"]);
  });

  test("sold by such a function, the pool refuses them", async () => {
    const result = await guard({ path: ["taxedToken", "weth"], exact: ether("100"), limit: ether("0.009") });
    expectReasons(result, ["block", "SWAP_REVERTS", "FEE_ON_TRANSFER_UNSUPPORTED_FN"]);
    expect(result.findings.revert).toMatchObject({ kind: "error", reason: "UniswapV2: K" });
  });

  test.each<[number, string[]]>([
    [110, ["review", "LIMIT_WITHIN_TOLERANCE", "TRANSFER_FEE"]],
    [150, ["block", "LIMIT_WITHIN_TOLERANCE", "TRANSFER_FEE_SEVERE"]],
  ])("pools that give %i percent of what arrives show a tax", async (percent, expected) => {
    const order = v2Orders.swapExactTokensForTokensSupportingFeeOnTransferTokens;
    const input = await build({
      order,
      path: ["taxedToken", "weth"],
      exact: ether("100"),
      limit: ether("0.0096"),
    });
    const { readings, findings } = await world.guard(input);
    const received = BigInt((findings.measured as { received: string }).received);
    const word = (value: bigint) => value.toString(16).padStart(64, "0");
    const promised = (received * BigInt(percent)) / 100n;
    const value = `0x${word(32n)}${word(2n)}${word(ether("100"))}${word(promised)}` as const;
    expectReasons(swapGuard.evaluate(input, { ...readings, quote: { status: "value", value } }), expected);
    const unread = { ...readings, quote: { status: "unanswered", reason: "timeout" } } as const;
    expectReasons(swapGuard.evaluate(input, unread), ["review", "LIMIT_WITHIN_TOLERANCE", "SWAP_UNREAD"]);
  });
});

describe("a swap that would fail now", () => {
  test("without an allowance: states what it would give with one", async () => {
    await world.call(world.alice, world.tokens.usdc, "approve", [world.v2, dollars("299")]);
    const result = await guard({ limit: FAIR });
    expectReasons(result, ["block", "SWAP_REVERTS", "ALLOWANCE_TOO_LOW", "LIMIT_WITHIN_TOLERANCE"]);
    expect(result.findings).toMatchObject({
      succeeds: false,
      revert: { kind: "error", reason: "TransferHelper: TRANSFER_FROM_FAILED" },
      measured: null,
      measuredIfApproved: { paid: dollars("300").toString() },
    });
    const exactOut = {
      order: v2Orders.swapTokensForExactTokens,
      exact: ether("0.1"),
      limit: dollars("303.9"),
    };
    expectReasons(await guard(exactOut), [
      "block",
      "SWAP_REVERTS",
      "ALLOWANCE_TOO_LOW",
      "LIMIT_WITHIN_TOLERANCE",
    ]);
  });

  test("without the tokens", async () => {
    const poor = await guard({
      path: ["plainToken", "weth"],
      exact: ether("1"),
      limit: 1n,
      at: { from: world.bob },
    });
    expectReasons(poor, ["block", "SWAP_REVERTS", "BALANCE_TOO_LOW", "ALLOWANCE_TOO_LOW"]);
    const exactOut = await guard({
      order: v2Orders.swapTokensForExactTokens,
      exact: ether("400"),
      limit: dollars("2100000"),
    });
    expectReasons(exactOut, ["block", "SWAP_REVERTS", "BALANCE_TOO_LOW"]);
  });

  test("without the value", async () => {
    const order = v2Orders.swapExactETHForTokens;
    const path = ["weth", "usdc"] as const;
    const result = await guard({ order, path, exact: ether("20000"), limit: dollars("2800000") });
    for (const code of result.reasonCodes) seen.add(code);
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toContain("BALANCE_TOO_LOW");
    expect(result.reasonCodes).not.toContain("ALLOWANCE_TOO_LOW");
  });

  test("because the token forbids its sale", async () => {
    const result = await guard({
      path: ["honeypotToken", "weth"],
      exact: ether("100"),
      limit: ether("0.009"),
    });
    expectReasons(result, ["block", "SWAP_REVERTS"]);
  });

  test("because the limit is out of reach", async () => {
    const result = await guard({ limit: ether("0.11") });
    expectReasons(result, ["block", "SWAP_REVERTS"]);
    expect(result.findings.revert).toMatchObject({ reason: "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT" });
  });

  test("because there is no code at the router, or at a token", async () => {
    const abi = parseAbi([
      "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, (address from, address to, bool stable, address factory)[] routes, address to, uint256 deadline)",
    ]);
    const factory = "0x420DD381b31aEf6683db6B902084cB0FFECe40Da";
    const { usdc, weth } = world.tokens;
    const routes = [{ from: usdc, to: weth, stable: false, factory }] as const;
    const args = [dollars("300"), FAIR, routes, world.alice, await world.soon()] as const;
    const data = encodeFunctionData({ abi, functionName: "swapExactTokensForTokens", args });
    const to = "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43";
    const nowhere = await world.guard({ from: world.alice, to, data, value: "0" });
    for (const code of nowhere.reasonCodes) seen.add(code);
    expect(nowhere).toMatchObject({ verdict: "block", findings: { swap: { router: "aerodrome" } } });
    expect(nowhere.reasonCodes).toContain("ROUTER_HAS_NO_CODE");

    const path = [usdc, zeroAddress] as const;
    const order = v2Orders.swapExactTokensForTokens;
    const tokenless = await world.guard(order(await scene(world.v2), path, dollars("300"), FAIR));
    for (const code of tokenless.reasonCodes) seen.add(code);
    expect(tokenless.verdict).toBe("block");
    expect(tokenless.reasonCodes).toContain("TOKEN_HAS_NO_CODE");
  });

  test("because it needs more gas than a transaction may have", async () => {
    const input = await build({ limit: FAIR });
    const { readings } = await world.guard(input);
    const gasEstimate = { status: "value", value: "16777217" } as const;
    const expected = ["block", "GAS_ABOVE_CAP", "LIMIT_WITHIN_TOLERANCE"];
    expectReasons(swapGuard.evaluate(input, { ...readings, gasEstimate }), expected);
  });
});
