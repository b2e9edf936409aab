import type { ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { type Abi, encodeFunctionData, erc20Abi, parseAbi, parseEther, parseUnits, toHex } from "viem";
import { describe, expect, test } from "vitest";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const { guard } = fixture;
const SUPPLY = parseEther("1000000000");
const FRESH = "0x00000000000000000000000000000000c0de0003";
const SWAP = "swapExactTokensForTokensSupportingFeeOnTransferTokens";
const swapAbi = parseAbi([`function ${SWAP}(uint256,uint256,address[],address,uint256)`]);

interface Pool {
  readonly kind: string;
  readonly quote: string;
  readonly hooks?: string;
  readonly runs: readonly {
    readonly sharePpm: number;
    readonly legs: readonly { readonly leg: string; readonly taxBps: number | null }[];
  }[];
}
const poolsOf = (findings: Readonly<Record<string, unknown>>) => findings.pools as readonly Pool[];
const taxesOf = (pool: Pool | undefined) =>
  pool?.runs.map(({ legs }) => legs.map(({ taxBps }) => taxBps).filter((tax) => tax !== null));
const four = <T>(value: T) => [value, value, value, value];

describe("honest tokens", () => {
  test("a plain one sells in pairs, concentrated pools and V4, against ether and the stablecoin", async () => {
    const { plainToken, weth, stablecoin } = fixture.devnet.contracts;
    const result = await guard(plainToken);
    expect(result).toMatchObject({ verdict: "review", batches: 2 });
    expect(result.reasonCodes).toEqual([
      "CODE_PRESENT",
      "SELLS",
      "TAX_NONE",
      "NO_POWER_FOUND",
      "LIQUIDITY_WITH_ACCOUNT",
      "SUPPLY_CONCENTRATED",
    ]);
    const [inManager, ...more] = poolsOf(result.findings).filter(({ kind }) => kind === "singleton");
    // Those with hooks are less deep, and anybody may have opened them.
    expect(more.filter(({ hooks }) => hooks === undefined)).toEqual([]);
    expect(taxesOf(inManager)).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    const pools = poolsOf(result.findings).filter(({ kind }) => kind !== "singleton");
    expect(pools.map(({ kind, quote }) => [kind, quote]).sort()).toEqual(
      [
        ["classic", lowercase(weth)],
        ["classic", lowercase(stablecoin)],
        ["concentrated", lowercase(weth)],
        ["concentrated", lowercase(stablecoin)],
      ].sort(),
    );
    for (const pool of pools) expect(taxesOf(pool)).toEqual(four([0, 0, 0, 0]));
  });

  test("two senders and two sizes are reported for each pool", async () => {
    const { findings, readings } = await guard(fixture.devnet.contracts.freshToken);
    const [pool] = poolsOf(findings);
    expect(pool?.runs.map(({ sharePpm }) => sharePpm)).toEqual([100, 10_000, 100, 10_000]);
    expect(new Set(readings.trades.map(({ sender }) => sender)).size).toBe(2);
    // One in a hundred of 10 ether.
    const [first] = readings.trades;
    expect(first?.runs).toMatchObject({
      value: [{}, { legs: [{ sent: parseEther("0.1").toString() }, {}, {}, {}, {}] }],
    });
  });

  test("a plain launch, a 3 % tax and a renounced one are distinguished", async () => {
    const { taxedToken, freshToken } = fixture.devnet.contracts;
    const launch = await guard(await fixture.launcher.launch("LaunchToken"));
    expect(launch.verdict).toBe("review");
    expect(launch.reasonCodes).toEqual([
      "CODE_PRESENT",
      "SELLS",
      "TAX_NONE",
      "OWNER_IS_ACCOUNT",
      "POWERS_HARMLESS",
      "LIQUIDITY_WITH_ACCOUNT",
      "SUPPLY_CONCENTRATED",
    ]);
    const taxed = await guard(taxedToken);
    expect(taxed.reasonCodes).toEqual(expect.arrayContaining(["SELLS", "TAX_MODERATE"]));
    expect(taxed.findings.figures).toMatchObject({ buyTaxBps: 300, sellTaxBps: 300, transferTaxBps: 0 });
    // Buy, transfer, sell half, sell the rest.
    expect(taxesOf(poolsOf(taxed.findings)[0])).toEqual(four([300, 0, 300, 300]));
    const renounced = await guard(freshToken);
    expect(renounced).toMatchObject({ verdict: "allow", batches: 2 });
    expect(renounced.reasonCodes).toEqual(
      expect.arrayContaining(["SELLS", "TAX_NONE", "OWNER_RENOUNCED", "POWERS_RENOUNCED", "LIQUIDITY_BURNT"]),
    );
  });

  test.each([1n, 1_000n, 1_001n])("a tax of %i basis points is measured exactly", async (tax) => {
    const result = await guard(await fixture.launcher.launch("SaleTaxToken", tax));
    expect(taxesOf(poolsOf(result.findings)[0])).toEqual(four([0, 0, Number(tax), Number(tax)]));
    expect(result.reasonCodes).toContain(tax > 1_000n ? "TAX_HIGH" : "TAX_MODERATE");
    expect(result.verdict).toBe("review");
  });

  test("a launch with its liquidity burnt is allowed, and an account's part is reported", async () => {
    const token = await fixture.launcher.deploy("LaunchToken", [SUPPLY]);
    const pair = await fixture.launcher.addPair(token);
    await fixture.launcher.giveAway(token);
    const owned = await guard(token);
    expect(owned).toMatchObject({
      verdict: "review",
      findings: { liquidity: { pool: pair, burntBps: 0, holders: [{ bps: 9_999, hold: "free" }] } },
    });
    await fixture.launcher.giveAway(pair);
    const burnt = await guard(token);
    expect(burnt).toMatchObject({ verdict: "allow", findings: { liquidity: { burntBps: 9_999 } } });
    expect(burnt.reasonCodes).toContain("LIQUIDITY_BURNT");
  });

  test("who holds the positions of a concentrated pool is read from their manager", async () => {
    const token = await fixture.launcher.deploy("SaleTaxToken", [SUPPLY, 300n]);
    await fixture.launcher.addConcentrated(token);
    await fixture.launcher.giveAway(token);
    // The sample taxes sales to its pair only, so this pool is free of tax.
    const free = await guard(token);
    expect(free.reasonCodes).toEqual(expect.arrayContaining(["SELLS", "TAX_NONE", "LIQUIDITY_WITH_ACCOUNT"]));
    expect(free.findings.liquidity).toMatchObject({ holders: [{ bps: 10_000, hold: "free" }] });
  });
});

describe("what is measured", () => {
  test.each(["taxedToken", "freshToken"] as const)(
    "is what an account without code gets of %s",
    async (name) => {
      const { devnet } = fixture;
      const { weth, uniswapV2Router } = devnet.contracts;
      const token = devnet.contracts[name];
      const { readings } = await guard(token);
      const [simulated] = readings.trades;
      if (simulated?.runs.status !== "value") throw new Error("nothing was simulated");
      const from = devnet.accounts[0]?.address as Hex;
      for (const { legs } of simulated.runs.value) {
        const snapshot = await devnet.snapshot();
        const [bought, passed, , half, rest] = legs ?? [];
        const send = async (
          to: string,
          abi: Abi,
          functionName: string,
          args: readonly unknown[],
          value = 0n,
        ) => {
          const data = encodeFunctionData({ abi, functionName, args });
          await devnet.request("eth_sendTransaction", [
            { from, to, data, value: toHex(value), gas: toHex(1_000_000) },
          ]);
        };
        const balanceOf = async (held: string) => {
          const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [from] });
          return BigInt(await devnet.request<Hex>("eth_call", [{ to: held, data }, "latest"]));
        };
        const swap = (path: readonly string[], amount: string | undefined) =>
          send(uniswapV2Router, swapAbi, SWAP, [BigInt(amount ?? 0), 0n, path, from, 2n ** 40n]);
        const given = BigInt(bought?.sent ?? 0);
        await send(weth, parseAbi(["function deposit() payable"]), "deposit", [], given);
        for (const held of [weth, token])
          await send(held, erc20Abi, "approve", [uniswapV2Router, 2n ** 255n]);
        await swap([weth, token], bought?.sent);
        expect(await balanceOf(token)).toBe(BigInt(bought?.received ?? 0));
        await send(token, erc20Abi, "transfer", [FRESH, BigInt(passed?.sent ?? 0)]);
        const before = await balanceOf(weth);
        await swap([token, weth], half?.sent);
        expect((await balanceOf(weth)) - before).toBe(BigInt(half?.received ?? 0));
        await swap([token, weth], rest?.sent);
        expect((await balanceOf(weth)) - before).toBe(
          BigInt(half?.received ?? 0) + BigInt(rest?.received ?? 0),
        );
        expect(await balanceOf(token)).toBe(0n);
        await devnet.revert(snapshot);
      }
    },
  );
});

describe("pools", () => {
  test("none is a review that says so", async () => {
    const result = await guard(await fixture.launcher.deploy("LaunchToken", [SUPPLY]));
    expect(result).toMatchObject({ verdict: "review", findings: { pools: [], liquidity: null } });
    expect(result.reasonCodes).toContain("NO_POOL");
  });

  test("with dust in it is a review", async () => {
    const token = await fixture.launcher.deploy("LaunchToken", [SUPPLY]);
    await fixture.launcher.addPair(token, parseEther("1"), fixture.devnet.contracts.weth, 10n ** 15n);
    const result = await guard(token);
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain("POOL_TOO_SHALLOW");
  });

  test("the deepest decides, and another that fails is reported", async () => {
    const { launcher } = fixture;
    const token = await launcher.deploy("MaxSellToken", [SUPPLY]);
    // In this one the limit, which is on the pair against ether, does not hold.
    await launcher.addPair(token, parseEther("1000000"), launcher.stablecoin, parseUnits("3000000", 6));
    await launcher.addPair(token, parseEther("1000000"), fixture.devnet.contracts.weth, parseEther("10"));
    const result = await guard(token);
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toEqual(expect.arrayContaining(["SELLS", "OTHER_POOL_FAILS"]));
    expect(poolsOf(result.findings)[0]?.quote).toBe(lowercase(launcher.stablecoin));
  });
});

describe("addresses that are no token", () => {
  test("an empty account is a review after one batch", async () => {
    const result = await guard(FRESH);
    expect(result).toMatchObject({ verdict: "review", reasonCodes: ["NO_CODE"], batches: 1 });
  });

  test.each<[string, Hex, string]>([
    ["a native token", "0xef", "NATIVE_TOKEN_CODE"],
    ["a delegated account", `0xef0100${FRESH.slice(2)}`, "DELEGATED_ACCOUNT"],
  ])("%s is a review", async (_, code, reason) => {
    await fixture.devnet.request("hardhat_setCode", [FRESH, code]);
    await fixture.devnet.mine();
    expect(await guard(FRESH)).toMatchObject({ verdict: "review", reasonCodes: [reason] });
  });

  test("a contract that refuses everything has no pool", async () => {
    await fixture.devnet.request("hardhat_setCode", [FRESH, "0x60006000fd"]);
    await fixture.devnet.mine();
    const result = await guard(FRESH);
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain("NO_POOL");
  });
});

test("what finds too little gas beside other trades is asked by itself", async () => {
  const { taxedToken } = fixture.devnet.contracts;
  const usual = await guard(taxedToken);
  const code = await fixture.devnet.request<Hex>("eth_getCode", [taxedToken, "latest"]);
  await fixture.devnet.request("hardhat_setCode", [FRESH, code]);
  // Counts down from 4,000, which uses 100,000 gas, and delegates to the token's code.
  const costly = `0x610fa05b600190038060035750365f5f375f5f365f73${FRESH.slice(2)}5af43d5f5f3e6036573d5ffd5b3d5ff3`;
  await fixture.devnet.request("hardhat_setCode", [taxedToken, costly]);
  await fixture.devnet.mine();
  const result = await guard(taxedToken);
  expect([usual.batches, result.batches]).toEqual([2, 3]);
  expect(result.reasonCodes).toEqual(expect.arrayContaining(["SELLS", "TAX_MODERATE", "CODE_DELEGATES"]));
  expect(taxesOf(poolsOf(result.findings)[0])).toEqual(taxesOf(poolsOf(usual.findings)[0]));
  expect(result.readings.rush).toMatchObject({ value: { legs: Array(7).fill({ success: true }) } });
});

describe("what no node answers", () => {
  const isSimulation = (read: ChainRead) => read.kind === "call" && read.overrides !== undefined;
  const asks = (data: string) => (read: ChainRead) => read.kind === "call" && read.data.startsWith(data);

  test.each<[string, (read: ChainRead) => boolean, readonly string[]]>([
    ["any call with overrides", isSimulation, ["POOL_UNREAD"]],
    ["owner()", asks("0x8da5cb5b"), ["OWNER_UNREAD"]],
    ["the code", (read) => read.kind === "code", ["CODE_UNREAD"]],
    ["a pair's shares", asks("0x70a08231"), ["LIQUIDITY_UNREAD"]],
    ["the events of the token and its pair", (read) => read.kind === "logs", []],
    ["anything", () => true, ["CODE_UNREAD", "POOL_UNREAD", "OWNER_UNREAD", "POWERS_UNREAD"]],
  ])("%s makes an allowed token a review", async (_, matches, reasons) => {
    // Allowed where everything is answered: see the renounced one above.
    const { freshToken } = fixture.devnet.contracts;
    const result = await guard(freshToken, fixture.deafTo(matches));
    // Events only name whom to ask: nobody is missing from what this token's holders add up to.
    expect(result.verdict).toBe(reasons.length === 0 ? "allow" : "review");
    expect(result.reasonCodes).toEqual(expect.arrayContaining([...reasons]));
  });

  test("trades after the pools were found are a review", async () => {
    const { freshToken } = fixture.devnet.contracts;
    let simulations = 0;
    const result = await guard(
      freshToken,
      fixture.deafTo((read) => isSimulation(read) && ++simulations > 1),
    );
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toEqual(
      expect.arrayContaining(["SIMULATION_UNAVAILABLE", "POWERS_NOT_EXERCISED"]),
    );
    expect(simulations).toBeGreaterThan(1);
  });
});

test("an owner who is a party to the trade is not replaced by the probe", async () => {
  const { launcher } = fixture;
  const token = await launcher.deploy("LaunchToken", [SUPPLY]);
  await launcher.addPair(token);
  const transfer = parseAbi(["function transferOwnership(address)"]);
  await launcher.call(token, transfer, "transferOwnership", [token]);
  const result = await guard(token);
  expect(result.verdict).toBe("review");
  expect(result.reasonCodes).toContain("OWNER_UNREAD");
});
