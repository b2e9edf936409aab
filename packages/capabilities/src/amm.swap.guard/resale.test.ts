import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { createLauncher } from "../testing/createLauncher.js";
import { launchTrap } from "../testing/launchTrap.js";
import { multicallOrders, type SwapOrder, v2Orders, v3Orders } from "../testing/swapOrders.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";
import { dollars, ether, useSwapFixture } from "./testing/swapFixture.js";

const swapGuard = { ...rule, ...gatherer };

const world = useSwapFixture();
interface ResaleFindings {
  readonly succeeds: boolean;
  readonly lossBps: number | null;
  readonly received: string | null;
  readonly revert: { readonly reason: string | null } | null;
}

async function guard(order: SwapOrder, path: readonly Hex[], exact: bigint, limit: bigint, recipient?: Hex) {
  const router = Object.values<SwapOrder>(v2Orders).includes(order) ? world.v2 : world.v3;
  const scene = { from: world.alice, router, deadline: await world.soon(), ...(recipient && { recipient }) };
  const result = await world.guard(order(scene, path, exact, limit));
  return { ...result, resale: result.findings.resale as ResaleFindings | null };
}

/** A tenth of an ether buys some 996 of any token whose pool holds 1,000,000 of it and 100 ether. */
const A_TENTH = ether("0.1");
const FAIR = ether("985");

describe("a token that cannot be sold again", () => {
  test.each<[string, SwapOrder, bigint, bigint]>([
    ["with wrapped ether", v2Orders.swapExactTokensForTokens, A_TENTH, FAIR],
    ["with ether", v2Orders.swapExactETHForTokens, A_TENTH, FAIR],
    ["in an exact amount", v2Orders.swapTokensForExactTokens, ether("990"), ether("0.1")],
    ["in an exact amount with ether", v2Orders.swapETHForExactTokens, ether("990"), ether("0.1")],
    [
      "by the function for taxed tokens",
      v2Orders.swapExactETHForTokensSupportingFeeOnTransferTokens,
      A_TENTH,
      FAIR,
    ],
  ])("bought %s through the classic router", async (_, order, exact, limit) => {
    const { weth, honeypotToken } = world.tokens;
    const result = await guard(order, [weth, honeypotToken], exact, limit);
    expect(result).toMatchObject({ verdict: "block", batches: 1, findings: { succeeds: true } });
    expect(result.reasonCodes).toEqual(["LIMIT_WITHIN_TOLERANCE", "BOUGHT_TOKEN_NOT_SELLABLE"]);
    expect(result.resale).toMatchObject({ approved: true, succeeds: false, received: null });
    expect(result.limitations.join()).toContain("token.launch.guard");
  });

  test.each<[string, SwapOrder, bigint, bigint]>([
    ["one pool", v3Orders.exactInputSingle, A_TENTH, ether("0.098")],
    ["a path", v3Orders.exactInput, A_TENTH, ether("0.098")],
    ["an exact amount", v3Orders.exactOutputSingle, ether("0.098"), ether("0.099")],
    ["ether", multicallOrders["exactInputSingle of value"], A_TENTH, ether("0.098")],
    ["a sweep", multicallOrders["exactInputSingle, then sweepToken"], A_TENTH, ether("0.098")],
  ])("bought through SwapRouter02, by %s", async (_, order, exact, limit) => {
    const token = await launchTrap(world.devnet);
    const result = await guard(order, [world.tokens.weth, token], exact, limit);
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toContain("LIMIT_WITHIN_TOLERANCE");
    expect(result.reasonCodes).toContain("BOUGHT_TOKEN_NOT_SELLABLE");
  });

  test("is found through two pools", async () => {
    const { usdc, weth, honeypotToken } = world.tokens;
    const order = v2Orders.swapExactTokensForTokens;
    const result = await guard(order, [usdc, weth, honeypotToken], dollars("300"), ether("980"));
    expect(result.reasonCodes).toContain("BOUGHT_TOKEN_NOT_SELLABLE");
  });

  test("is found before the purchase is approved, too", async () => {
    const { weth, honeypotToken } = world.tokens;
    await world.call(world.alice, weth, "approve", [world.v2, 0n]);
    const order = v2Orders.swapExactTokensForTokens;
    const result = await guard(order, [weth, honeypotToken], A_TENTH, FAIR);
    expect(result.reasonCodes).toEqual(
      expect.arrayContaining(["ALLOWANCE_TOO_LOW", "BOUGHT_TOKEN_NOT_SELLABLE"]),
    );
  });

  test.each([
    ["so much at once", "MaxSellToken"],
    ["so soon", "CooldownToken"],
  ])("%s is one all the same, and the refusal is reported", async (_, name) => {
    const token = await createLauncher(world.devnet).launch(name);
    const path = [world.tokens.weth, token];
    const result = await guard(v2Orders.swapExactETHForTokens, path, ether("1"), ether("9700"));
    expect(result.reasonCodes).toContain("BOUGHT_TOKEN_NOT_SELLABLE");
    expect(result.resale?.revert?.reason).toContain("TRANSFER_FROM_FAILED");
  });
});

describe("what a sale back brings", () => {
  test.each<[bigint, string, string[]]>([
    [0n, "allow", []],
    [800n, "allow", []],
    [1500n, "review", ["RESALE_LOSS_HIGH"]],
    [6000n, "block", ["RESALE_LOSS_SEVERE"]],
  ])("less %i hundredths of a percent", async (taxBps, verdict, codes) => {
    const token = await createLauncher(world.devnet).launch("SaleTaxToken", taxBps);
    const result = await guard(v2Orders.swapExactETHForTokens, [world.tokens.weth, token], A_TENTH, FAIR);
    expect([result.verdict, ...result.reasonCodes]).toEqual([verdict, "LIMIT_WITHIN_TOLERANCE", ...codes]);
    const { lossBps } = result.resale ?? {};
    // Selling less moves the price less, which makes up for a little of the tax.
    expect(Math.abs((lossBps ?? -1) - Number(taxBps))).toBeLessThan(20);
  });

  test("is not lost to the fees of two pools or to a large swap's own impact", async () => {
    const { usdc, weth, plainToken } = world.tokens;
    const v2 = v2Orders.swapExactTokensForTokens;
    const two = await guard(v2, [usdc, weth, plainToken], dollars("3000"), ether("1470"));
    expect(two).toMatchObject({ verdict: "allow", resale: { succeeds: true, lossBps: 0 } });
    const large = await guard(v2, [usdc, plainToken], dollars("90000"), ether("42500"));
    expect(large).toMatchObject({ verdict: "allow", resale: { succeeds: true, lossBps: 0 } });
    const v3 = await guard(v3Orders.exactInput, [usdc, weth, plainToken], dollars("3000"), ether("1470"));
    expect(v3).toMatchObject({ verdict: "allow", resale: { succeeds: true, lossBps: 0 } });
  });

  test("does not change what is measured of the swap", async () => {
    const { usdc, weth } = world.tokens;
    const order = v2Orders.swapExactTokensForTokens;
    const scene = { from: world.alice, router: world.v2, deadline: await world.soon() };
    const input = order(scene, [usdc, weth], dollars("300"), ether("0.0986"));
    const { readings, findings } = await world.guard(input);
    if (readings.simulation.status !== "value") throw new Error("the swap was not simulated");
    const { before, after } = readings.simulation.value;
    const received = BigInt(after.tokenOut.recipient ?? 0) - BigInt(before.tokenOut.recipient ?? 0);
    const held = await world.balanceOf(weth, world.alice);
    await world.send(input);
    expect((await world.balanceOf(weth, world.alice)) - held).toBe(received);
    expect(findings.measured).toMatchObject({ received: received.toString() });
  });
});

describe("a sale that was not tried", () => {
  const untried = "can be sold again was not tried";

  test("is reported, with where to ask: the output goes to another, or nothing was measured", async () => {
    const { usdc, weth } = world.tokens;
    const order = v2Orders.swapExactTokensForTokens;
    const given = await guard(order, [usdc, weth], dollars("300"), ether("0.0986"), world.bob);
    expect(given).toMatchObject({ verdict: "review", resale: null });
    const unmeasured = withoutAnswers(
      world.chain,
      (read) => read.kind === "call" && read.overrides !== undefined,
    );
    const scene = { from: world.alice, router: world.v2, deadline: await world.soon() };
    const input = order(scene, [usdc, weth], dollars("300"), ether("0.0986"));
    const deaf = await world.guard(input, unmeasured);
    expect(deaf.verdict).toBe("review");
    for (const { limitations } of [given, deaf]) {
      expect(limitations.join()).toContain(untried);
      expect(limitations.join()).toContain("token.launch.guard");
    }
  });

  test("is no matter where ether comes out", async () => {
    const { usdc, weth } = world.tokens;
    const order = v2Orders.swapExactTokensForETH;
    const result = await guard(order, [usdc, weth], dollars("300"), ether("0.0986"));
    expect(result).toMatchObject({ verdict: "allow", resale: null });
    expect(result.limitations.join()).not.toContain(untried);
  });

  test("is a review when the readings lack it", async () => {
    const { usdc, weth } = world.tokens;
    const scene = { from: world.alice, router: world.v2, deadline: await world.soon() };
    const input = v2Orders.swapExactTokensForTokens(scene, [usdc, weth], dollars("300"), ether("0.0986"));
    const { readings, verdict } = await world.guard(input);
    expect(verdict).toBe("allow");
    if (readings.simulation.status !== "value") throw new Error("the swap was not simulated");
    const simulation = { ...readings.simulation, value: { ...readings.simulation.value, resale: null } };
    const without = swapGuard.evaluate(input, { ...readings, simulation });
    expect(without.verdict).toBe("review");
    expect(without.reasonCodes).toContain("RESALE_UNMEASURED");
  });
});
