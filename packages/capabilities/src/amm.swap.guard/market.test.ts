import { encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex, parseAbi, zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import { SENDER, type Step, writeProgram } from "../shared/swaps/testing/writeProgram.js";
import { createLauncher } from "../testing/createLauncher.js";
import { v3Abi } from "../testing/swapAbi.js";
import { v2Orders } from "../testing/swapOrders.js";
import { swapInV4, usePublishedRouter } from "./testing/publishedRouter.js";
import { dollars, ether, useSwapFixture } from "./testing/swapFixture.js";

/** The price of a swap against what other pools would give. An ether costs 3,000 dollars or 1,500 plain tokens. */
const world = useSwapFixture();
const router = usePublishedRouter(world);

const KEY = "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key";
const v4Abi = parseAbi([
  `function initialize(${KEY}, uint160 price)`,
  `function modifyLiquidity(${KEY}, (int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt) position, bytes data)`,
]);
const v3ManagerAbi = parseAbi([
  "function createAndInitializePoolIfNecessary(address, address, uint24, uint160) payable",
  "function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline)) payable",
]);

function root(value: bigint): bigint {
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** A V4 pool of wrapped ether and plain tokens without a hook, at so many tokens for an ether. */
async function openV4(
  fee: number,
  tokensPerEther: bigint,
  plainToken: Hex = world.tokens.plainToken,
): Promise<void> {
  const { weth } = world.tokens;
  const { poolManager, v4LiquidityRouter } = world.devnet.contracts;
  const { call } = createLauncher(world.devnet);
  const isTokenFirst = plainToken < weth;
  const [currency0, currency1] = isTokenFirst ? [plainToken, weth] : [weth, plainToken];
  const key = { currency0, currency1, fee, tickSpacing: 60, hooks: zeroAddress };
  const price = isTokenFirst ? root((1n << 192n) / tokensPerEther) : root(tokensPerEther << 192n);
  await call(poolManager, v4Abi, "initialize", [key, price]);
  const liquidityDelta = root(ether("50") * ether("50") * tokensPerEther);
  const position = {
    tickLower: -887_220,
    tickUpper: 887_220,
    liquidityDelta,
    salt: numberToHex(0, { size: 32 }),
  };
  await call(v4LiquidityRouter, v4Abi, "modifyLiquidity", [key, position, "0x"]);
}

/** A V3 pool of the highest fee that holds these two amounts. */
async function openV3(one: Hex, amount: bigint, other: Hex, otherAmount: bigint): Promise<void> {
  const { call } = createLauncher(world.devnet);
  const { positionManager } = world.devnet.contracts;
  for (const token of [one, other]) await call(token, erc20Abi, "approve", [positionManager, maxUint256]);
  const [token0, token1, amount0, amount1] =
    one < other ? [one, other, amount, otherAmount] : [other, one, otherAmount, amount];
  const price = root((amount1 << 192n) / amount0);
  await call(positionManager, v3ManagerAbi, "createAndInitializePoolIfNecessary", [
    token0,
    token1,
    10_000,
    price,
  ]);
  const range = { token0, token1, fee: 10_000, tickLower: -887_200, tickUpper: 887_200 };
  const amounts = { amount0Desired: amount0, amount1Desired: amount1, amount0Min: 0n, amount1Min: 0n };
  const recipient = world.devnet.deployer.address;
  await call(positionManager, v3ManagerAbi, "mint", [
    { ...range, ...amounts, recipient, deadline: maxUint256 },
  ]);
}

async function guardProgram(steps: readonly Step[]) {
  const data = writeProgram(steps, await world.soon());
  const to = router().address as Hex;
  return world.guard({ from: world.alice, to, data, value: "0" }, world.chain, [router()]);
}

/** A hundredth of an ether in the V3 pool of the highest fee. */
function guardV3(tokenOut: Hex, amountOutMinimum: bigint) {
  const params = {
    tokenIn: world.tokens.weth,
    tokenOut,
    fee: 10_000,
    recipient: world.alice,
    amountIn: ether("0.01"),
    amountOutMinimum,
    sqrtPriceLimitX96: 0n,
  };
  const data = encodeFunctionData({ abi: v3Abi, functionName: "exactInputSingle", args: [params] as never });
  return world.guard({ from: world.alice, to: world.v3, data, value: "0" });
}

describe("a V4 pool without a hook at the market's price", () => {
  test.each<[fee: number, tokens: string, verdict: string, codes: readonly string[]]>([
    [9_000, "14.7", "allow", ["LIMIT_WITHIN_TOLERANCE"]],
    [30_000, "14.4", "review", ["PATH_FEE_HIGH"]],
    [100_000, "13.3", "review", ["PATH_FEE_HIGH", "PRICE_BELOW_MARKET", "RESALE_LOSS_HIGH"]],
    [150_000, "12.6", "block", ["PATH_FEE_EXCESSIVE", "PRICE_BELOW_MARKET"]],
    [500_000, "7.4", "block", ["PATH_FEE_EXCESSIVE", "PRICE_FAR_BELOW_MARKET", "RESALE_LOSS_SEVERE"]],
    [900_000, "1.48", "block", ["PATH_FEE_EXCESSIVE", "PRICE_FAR_BELOW_MARKET", "RESALE_LOSS_SEVERE"]],
  ])(
    "that takes %i millionths and gives about %s tokens is judged by that",
    async (fee, tokens, verdict, codes) => {
      await openV4(fee, 1500n);
      const result = await guardProgram([swapInV4(world, SENDER, ether("0.01"), ether(tokens), { fee })]);
      expect(result.verdict).toBe(verdict);
      expect(result.reasonCodes).toEqual(expect.arrayContaining([...codes]));
    },
  );
});

describe("a price that is not the market's", () => {
  test("in a V4 pool is a block at a third, and allowed at a hundredth less", async () => {
    await openV4(400, 500n);
    const third = await guardProgram([swapInV4(world, SENDER, ether("0.01"), ether("4.9"), { fee: 400 })]);
    expect([third.verdict, third.reasonCodes]).toEqual([
      "block",
      ["LIMIT_WITHIN_TOLERANCE", "PRICE_FAR_BELOW_MARKET"],
    ]);
    await openV4(450, 1485n);
    const near = await guardProgram([swapInV4(world, SENDER, ether("0.01"), ether("14.7"), { fee: 450 })]);
    expect([near.verdict, near.reasonCodes]).toEqual(["allow", ["LIMIT_WITHIN_TOLERANCE"]]);
    expect(near.findings.market).toMatchObject({ lossBps: expect.any(Number) });
  });

  test("in a V3 pool is a block at a third", async () => {
    const { weth, usdc } = world.tokens;
    await openV3(weth, ether("20"), usdc, dollars("20000"));
    const third = await guardV3(usdc, dollars("9.8"));
    expect([third.verdict, third.reasonCodes]).toEqual([
      "block",
      ["DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE", "PRICE_FAR_BELOW_MARKET"],
    ]);
    // A third of the market, the pool's fee of 1 % and its price impact.
    expect(third.findings.market).toMatchObject({ lossBps: expect.closeTo(6691, -1) });
  });

  test("in a V3 pool is a review at a tenth less", async () => {
    const { weth, usdc } = world.tokens;
    await openV3(weth, ether("20"), usdc, dollars("54000"));
    const { verdict, reasonCodes } = await guardV3(usdc, dollars("26.4"));
    expect([verdict, reasonCodes]).toEqual([
      "review",
      ["DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE", "PRICE_BELOW_MARKET"],
    ]);
  });

  test("on the way through a token of one's own is a block", async () => {
    const { weth, usdc } = world.tokens;
    const launcher = createLauncher(world.devnet);
    const token = await launcher.deploy("PlainToken", [ether("1000000000")]);
    await launcher.addPair(token, ether("100000"), weth, ether("5"));
    await launcher.addPair(token, ether("100000"), usdc, dollars("1000"));
    const at = { from: world.alice, router: world.v2, deadline: await world.soon() };
    const path = [weth, token, usdc];
    const { verdict, reasonCodes } = await world.guard(
      v2Orders.swapExactTokensForTokens(at, path, ether("0.01"), dollars("1.96")),
    );
    expect([verdict, reasonCodes]).toEqual(["block", ["LIMIT_WITHIN_TOLERANCE", "PRICE_FAR_BELOW_MARKET"]]);
  });

  test("for a token that others trade elsewhere is a block, whether they pay in ether or in dollars", async () => {
    const { weth, usdc } = world.tokens;
    const launcher = createLauncher(world.devnet);
    for (const [quote, amount] of [
      [weth, ether("100")],
      [usdc, dollars("300000")],
    ] as const) {
      const token = await launcher.deploy("PlainToken", [ether("1000000000")]);
      // 10,000 tokens for an ether there, 600 here.
      await launcher.addPair(token, ether("1000000"), quote, amount);
      await openV3(token, ether("6000"), weth, ether("10"));
      const { verdict, reasonCodes } = await guardV3(token, ether("5.88"));
      expect([verdict, reasonCodes]).toEqual([
        "block",
        ["DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE", "PRICE_FAR_BELOW_MARKET"],
      ]);
    }
  });
});

test("a pool that gives far too much is not the market of tokens that have many", async () => {
  const { weth, usdc, plainToken } = world.tokens;
  await openV3(weth, ether("20"), usdc, dollars("20000"));
  const at = { from: world.alice, router: world.v2, deadline: await world.soon() };
  for (const [path, exact, limit] of [
    [[usdc, weth], dollars("30"), ether("0.0098")],
    // Over dollars, the pool of the first line would give three times as much ether.
    [[plainToken, weth], ether("15"), ether("0.0098")],
  ] as const) {
    const { verdict, reasonCodes } = await world.guard(
      v2Orders.swapExactTokensForTokens(at, path, exact, limit),
    );
    expect([verdict, reasonCodes]).toEqual(["allow", ["LIMIT_WITHIN_TOLERANCE"]]);
  }
});

describe("a token of one market", () => {
  test("is bought there at that market's price", async () => {
    const token = await createLauncher(world.devnet).launch("PlainToken");
    const at = { from: world.alice, router: world.v2, deadline: await world.soon() };
    const path = [world.tokens.usdc, world.tokens.weth, token];
    const { verdict, reasonCodes, findings } = await world.guard(
      v2Orders.swapExactTokensForTokens(at, path, dollars("300"), ether("970")),
    );
    expect([verdict, reasonCodes]).toEqual(["allow", ["LIMIT_WITHIN_TOLERANCE"]]);
    expect((findings.market as { lossBps: number }).lossBps).toBeLessThan(100);
  });

  test("that no exchange quotes is allowed, and a limitation says that the price was compared with none", async () => {
    const token = await createLauncher(world.devnet).deploy("PlainToken", [ether("1000000000")]);
    const { v4LiquidityRouter } = world.devnet.contracts;
    await createLauncher(world.devnet).call(token, erc20Abi, "approve", [v4LiquidityRouter, maxUint256]);
    await openV4(3000, 1500n, token);
    const program = [swapInV4(world, SENDER, ether("0.01"), ether("14.7"), { token })];
    const { verdict, findings, limitations } = await guardProgram(program);
    expect([verdict, findings.market]).toEqual(["allow", null]);
    expect(limitations.join(" ")).toContain("compared with no market");
  });
});
