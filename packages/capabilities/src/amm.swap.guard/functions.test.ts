import { createRequire } from "node:module";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { concatHex, encodeAbiParameters, maxUint256 } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyFacts } from "../shared/proofs/provableFact.js";
import { baseSwapRouters, type SwapRouter } from "../shared/swaps/swapRouters.js";
import {
  multicallOrders,
  olderOrders,
  type SwapOrder,
  type SwapScene,
  type Transaction,
  v2Orders,
  v3Orders,
} from "../testing/swapOrders.js";
import { type DescribedSwap, dollars, ether, type Measured, useSwapFixture } from "./testing/swapFixture.js";

const world = useSwapFixture();
type Token = keyof typeof world.tokens;
type Case = [name: string, order: SwapOrder, path: Token[], exact: bigint];

const isExactOut = (name: string) => /exactOut|ForExact/i.test(name);

/** The swap with a limit one percent off what it gives, as an honest wallet would prepare it. */
async function prepare(
  name: string,
  order: SwapOrder,
  scene: SwapScene,
  path: readonly Hex[],
  exact: bigint,
  routers: readonly SwapRouter[] = baseSwapRouters,
): Promise<Transaction> {
  const loose = isExactOut(name) ? ether("5000") : 1n;
  const first = await world.guard(order(scene, path, exact, loose), world.chain, routers);
  const { paid, received } = first.findings.measured as Measured;
  const limit = isExactOut(name) ? (BigInt(paid) * 101n) / 100n : (BigInt(received) * 99n) / 100n;
  return order(scene, path, exact, limit);
}

const tokensOf = (path: readonly Token[]) => path.map((token) => world.tokens[token]);
const sceneAt = async (router: Hex): Promise<SwapScene> => ({
  from: world.alice,
  router,
  deadline: await world.soon(),
});

async function expectAllowedAndTrue(transaction: Transaction, routers?: readonly SwapRouter[]) {
  const result = await world.guard(transaction, world.chain, routers);
  expect(result).toMatchObject({ verdict: "allow", batches: 1 });
  expect(result.findings.succeeds).toBe(true);
  expect(() => verifyFacts(result.context.proofs, result.facts)).not.toThrow();
  expect(result.facts.map(({ address }) => address)).toContain(transaction.to);
  const swap = result.findings.swap as DescribedSwap;
  const sent = await world.sendAndCount(transaction, swap);
  expect(result.findings.measured).toMatchObject(sent);
  expect(BigInt(sent.received)).toBeGreaterThan(0n);
  return result;
}

const v2Cases: Case[] = [
  ["swapExactTokensForTokens", v2Orders.swapExactTokensForTokens, ["usdc", "plainToken"], dollars("500")],
  [
    "swapTokensForExactTokens",
    v2Orders.swapTokensForExactTokens,
    ["usdc", "weth", "plainToken"],
    ether("100"),
  ],
  ["swapExactETHForTokens", v2Orders.swapExactETHForTokens, ["weth", "usdc"], ether("1")],
  ["swapExactTokensForETH", v2Orders.swapExactTokensForETH, ["usdc", "weth"], dollars("900")],
  ["swapTokensForExactETH", v2Orders.swapTokensForExactETH, ["plainToken", "weth"], ether("0.3")],
  ["swapETHForExactTokens", v2Orders.swapETHForExactTokens, ["weth", "usdc"], dollars("1234")],
  ...(
    [
      ["swapExactTokensForTokensSupportingFeeOnTransferTokens", ["taxedToken", "weth"], ether("100")],
      ["swapExactETHForTokensSupportingFeeOnTransferTokens", ["weth", "taxedToken"], ether("0.1")],
      ["swapExactTokensForETHSupportingFeeOnTransferTokens", ["taxedToken", "weth"], ether("50")],
    ] as const
  ).map(([name, path, exact]): Case => [name, v2Orders[name], [...path], exact]),
];
const v3Cases: Case[] = [
  ["exactInputSingle", v3Orders.exactInputSingle, ["usdc", "weth"], dollars("1500")],
  ["exactInput", v3Orders.exactInput, ["plainToken", "weth", "usdc"], ether("77")],
  ["exactOutputSingle", v3Orders.exactOutputSingle, ["weth", "usdc"], dollars("300")],
  ["exactOutput", v3Orders.exactOutput, ["usdc", "weth", "plainToken"], ether("12")],
];

describe("each function of the classic router: a fair swap is allowed, and gives what was measured", () => {
  test.each(v2Cases)("%s", async (name, order, path, exact) => {
    const scene = await sceneAt(world.v2);
    const { findings } = await expectAllowedAndTrue(await prepare(name, order, scene, tokensOf(path), exact));
    expect(findings.swap).toMatchObject({
      family: "classic",
      function: name,
      kind: isExactOut(name) ? "exactOut" : "exactIn",
      path: tokensOf(path),
      tokenIn: { isNative: /^swap(Exact)?ETH/.test(name) },
      tokenOut: { isNative: /ETH(Supporting|$)/.test(name) },
      recipient: world.alice,
    });
    if (name.endsWith("FeeOnTransferTokens")) expect(findings.transferFeeBps).toBeGreaterThanOrEqual(290);
  });
});

describe("each function of SwapRouter02: a fair swap is allowed, and gives what was measured", () => {
  test.each(v3Cases)("%s", async (name, order, path, exact) => {
    const scene = await sceneAt(world.v3);
    const result = await expectAllowedAndTrue(await prepare(name, order, scene, tokensOf(path), exact));
    expect(result.reasonCodes).toEqual(["DEADLINE_ABSENT", "LIMIT_WITHIN_TOLERANCE"]);
    expect(result.findings.swap).toMatchObject({
      family: "concentrated",
      function: name,
      path: tokensOf(path),
      recipient: world.alice,
      deadline: null,
    });
  });

  const paths: Record<keyof typeof multicallOrders, [Token[], bigint]> = {
    "exactInput, then unwrapWETH9": [["usdc", "plainToken", "weth"], dollars("250")],
    "exactInputSingle, then sweepToken": [["weth", "usdc"], ether("0.5")],
    "exactOutputSingle of value, then refundETH": [["weth", "usdc"], dollars("450")],
    "exactInputSingle of value": [["weth", "plainToken"], ether("2")],
  };
  test.each(Object.entries(multicallOrders))("in a multicall: %s", async (name, order) => {
    const [path, exact] = paths[name as keyof typeof paths];
    const scene = await sceneAt(world.v3);
    const { findings } = await expectAllowedAndTrue(await prepare(name, order, scene, tokensOf(path), exact));
    expect(findings.swap).toMatchObject({
      tokenIn: { isNative: name.includes("of value") },
      tokenOut: { isNative: name.includes("unwrap") },
      multicall: { beside: name.includes("then") ? [name.split("then ")[1]] : [] },
      deadline: name.includes("sweep") ? null : scene.deadline.toString(),
    });
  });
});

/** The older router is not on the local chain; the devnet's packages have it. */
async function deployOlderRouter(): Promise<SwapRouter> {
  const require = createRequire(import.meta.resolve("@assay/devnet"));
  const path = "@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json";
  const { bytecode } = require(path) as { bytecode: Hex };
  const args = encodeAbiParameters(
    [{ type: "address" }, { type: "address" }],
    [world.devnet.contracts.uniswapV3Factory, world.tokens.weth],
  );
  const hash = await world.devnet.request<Hex>("eth_sendTransaction", [
    { from: world.alice, data: concatHex([bytecode, args]), gas: "0xf00000" },
  ]);
  const { contractAddress } = await world.devnet.request<{ contractAddress: Hex }>(
    "eth_getTransactionReceipt",
    [hash],
  );
  for (const token of Object.values(world.tokens))
    await world.call(world.alice, token, "approve", [contractAddress, maxUint256]);
  return { kind: "swap_router", address: lowercase(contractAddress), factories: [] };
}

describe("each function of the older router, where an operator names it", () => {
  let router: SwapRouter;
  beforeAll(async () => {
    router = await deployOlderRouter();
  });

  test.each(v3Cases)("%s", async (name, _, path, exact) => {
    const order = olderOrders[name as keyof typeof olderOrders];
    const scene = await sceneAt(router.address as Hex);
    const transaction = await prepare(name, order, scene, tokensOf(path), exact, [router]);
    const { findings, reasonCodes } = await expectAllowedAndTrue(transaction, [router]);
    expect(reasonCodes).toEqual(["LIMIT_WITHIN_TOLERANCE"]);
    expect(findings.swap).toMatchObject({ router: "swap_router", deadline: scene.deadline.toString() });
  });
});

/** `npm run campaign:swaps` sends more of them. */
const ROUNDS = Number(process.env.ASSAY_SWAP_ROUNDS ?? 8);

describe("random swaps", () => {
  const all = [...v2Cases, ...v3Cases, ...multicallCases()];
  test("give exactly what was measured when they are really sent", async () => {
    const random = createRandom(20261115);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [name, order, path, exact] = all[random(all.length)] as Case;
      const router = name in v2Orders ? world.v2 : world.v3;
      const amount = (exact * BigInt(1 + random(4000))) / 1000n;
      const transaction = await prepare(name, order, await sceneAt(router), tokensOf(path), amount);
      const { findings, verdict } = await world.guard(transaction);
      expect(verdict, name).toBe("allow");
      expect(findings.measured, name).toMatchObject(
        await world.sendAndCount(transaction, findings.swap as DescribedSwap),
      );
    }
  });
});

function multicallCases(): Case[] {
  const path: Token[] = ["weth", "usdc"];
  return [
    [
      "exactInputSingle, then sweepToken",
      multicallOrders["exactInputSingle, then sweepToken"],
      path,
      ether("0.5"),
    ],
    ["exactInputSingle of value", multicallOrders["exactInputSingle of value"], path, ether("1")],
  ];
}

/** A small seeded generator (mulberry32), so that a failure can be run again. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
