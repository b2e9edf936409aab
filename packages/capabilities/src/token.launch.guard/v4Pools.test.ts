import { createRequire } from "node:module";
import type { ChainRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { describe, expect, test } from "vitest";
import { CLANKER_HOOKS } from "../shared/chain-facts/knownContracts.js";
import { MODIFY_LIQUIDITY } from "../shared/pools/gather/v4Positions.js";
import { loadSample } from "../testing/loadSample.js";
import { useLaunchFixture } from "./testing/launchFixture.js";
import { openV4Pool, type V4Terms } from "./testing/openV4Pool.js";

const load = createRequire(import.meta.resolve("@assay/devnet")) as (path: string) => {
  readonly deployedBytecode: { readonly object: Hex };
};
const fixture = useLaunchFixture();
const SUPPLY = parseEther("1000");
const hookOf = (name: "v4FeeHook" | "v4SkimmingHook" | "v4OneWayHook" | "v4UpgradeableHook") =>
  fixture.devnet.contracts[name].toLowerCase() as Hex;
const [clanker] = CLANKER_HOOKS as readonly [Hex];

let launches = 0;
/**
 * A token whose only pool is in V4; what is not in it belongs to nobody. Events are kept by the number of the block, and each test begins at the same one: so each launch has numbers of its own.
 */
async function launch(terms: V4Terms = {}, supply = SUPPLY): Promise<Hex> {
  launches += 1;
  await fixture.devnet.request("hardhat_mine", [toHex(20 * launches)]);
  const token = await fixture.launcher.deploy("PlainToken", [supply]);
  await openV4Pool(fixture.devnet, fixture.launcher, token, terms);
  await fixture.launcher.giveAway(token);
  return token;
}

describe("a pool without a hook", () => {
  test("is allowed where its position belongs to nobody", async () => {
    const result = await fixture.guard(await launch());
    expect([result.verdict, result.batches, result.reasonCodes]).toEqual([
      "allow",
      2,
      expect.arrayContaining(["SELLS", "TAX_NONE", "LIQUIDITY_BURNT"]),
    ]);
    expect(result.findings.liquidity).toMatchObject({ burntBps: 10_000 });
  });

  test("is none where one account owns it, nor where nobody says who does", async () => {
    const owner = fixture.devnet.deployer.address;
    const token = await launch({ owner });
    const owned = await fixture.guard(token);
    expect([owned.verdict, owned.reasonCodes]).toEqual([
      "review",
      expect.arrayContaining(["LIQUIDITY_WITH_ACCOUNT"]),
    ]);
    expect(owned.findings.liquidity).toMatchObject({
      holders: [{ address: owner.toLowerCase(), bps: 10_000 }],
    });
    const deaf = await fixture.guard(
      token,
      fixture.deafTo((read: ChainRead) => read.kind === "logs"),
    );
    expect(deaf.reasonCodes).toContain("LIQUIDITY_UNREAD");
  });

  test("counts as no more of the supply than their manager has", async () => {
    // Over the whole range this liquidity would stand for 3,000 tokens.
    const terms = { amount: parseEther("3000"), ticks: 600 };
    const token = await launch(terms, parseEther("200"));
    // Where its positions are not known, what it holds follows from its liquidity.
    const isOfPositions = (read: ChainRead) => read.kind === "logs" && read.topics?.[0] === MODIFY_LIQUIDITY;
    for (const through of [undefined, fixture.deafTo(isOfPositions)]) {
      const { reasonCodes } = await fixture.guard(token, through);
      expect(reasonCodes).toContain("SELLS");
      expect(reasonCodes).not.toContain("SUPPLY_EXCEEDED");
    }
  });

  test("is none where one account sells beside a narrow range that belongs to nobody", async () => {
    const seller = fixture.devnet.deployer.address;
    const narrow = { amount: parseEther("3000"), ticks: 60 };
    const { verdict, reasonCodes, findings } = await fixture.guard(await launch({ ...narrow, seller }));
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["LIQUIDITY_WITH_ACCOUNT"])]);
    expect(findings.liquidity?.burntBps).toBeLessThan(1_000);
    // Nine ether are in the narrow range; its liquidity over the whole range would be three thousand.
    const bare = await fixture.guard(await launch(narrow));
    expect(Number(bare.findings.pools[0]?.depthWei)).toBeCloseTo(9e18, -17);
  });

  test("is none where tokens that nobody will buy hide who has the money", async () => {
    const nobody: Hex = "0x000000000000000000000000000000000000dEaD";
    const owner = fixture.devnet.deployer.address as Hex;
    const { verdict, reasonCodes, findings } = await fixture.guard(
      await launch({ owner, amount: parseEther("8"), seller: nobody, dearer: 4 }),
    );
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["LIQUIDITY_WITH_ACCOUNT"])]);
    expect(findings.liquidity).toMatchObject({ holders: [{ address: owner.toLowerCase(), bps: 10_000 }] });
  });

  test("and with other terms than usual is found by its event", async () => {
    const { verdict, findings, reasonCodes } = await fixture.guard(
      await launch({ fee: 2_500, tickSpacing: 50 }),
    );
    expect([verdict, reasonCodes]).toEqual(["allow", expect.arrayContaining(["LIQUIDITY_BURNT"])]);
    expect(findings.pools).toMatchObject([{ kind: "singleton", fee: 2_500 }]);
  });
});

describe("a pool with a hook", () => {
  test("that takes a thousandth for ever is allowed, and that is the tax", async () => {
    const { verdict, findings, reasonCodes } = await fixture.guard(
      await launch({ hooks: hookOf("v4FeeHook") }),
    );
    expect([verdict, reasonCodes]).toEqual(["allow", expect.arrayContaining(["SELLS", "TAX_MODERATE"])]);
    expect(findings.figures).toMatchObject({ buyTaxBps: 10, sellTaxBps: 10, transferTaxBps: 0 });
  });

  test("that takes a tenth of what comes in shows it", async () => {
    const { findings } = await fixture.guard(await launch({ hooks: hookOf("v4SkimmingHook") }));
    const { buyTaxBps, sellTaxBps } = findings.figures as { buyTaxBps: number; sellTaxBps: number };
    for (const tax of [buyTaxBps, sellTaxBps]) expect(Math.abs(tax - 1_000)).toBeLessThanOrEqual(10);
  });

  test("that lets only one currency in is blocked", async () => {
    const { verdict } = await fixture.guard(await launch({ hooks: hookOf("v4OneWayHook") }));
    expect(verdict).toBe("block");
  });

  test("that can be exchanged is a review that names it, also beside a pair that is less deep", async () => {
    const hooks = hookOf("v4UpgradeableHook");
    const alone = await fixture.guard(await launch({ hooks }));
    expect([alone.verdict, alone.reasonCodes]).toEqual(["review", expect.arrayContaining(["POOL_HOOKED"])]);
    expect(alone.limitations.join()).toContain(hooks);
    const token = await fixture.launcher.deploy("PlainToken", [SUPPLY]);
    await openV4Pool(fixture.devnet, fixture.launcher, token, { hooks });
    const pair = await fixture.launcher.addPair(token, parseEther("50"), undefined, parseEther("50"));
    for (const held of [pair, token]) await fixture.launcher.giveAway(held);
    expect((await fixture.guard(token)).reasonCodes).toContain("POOL_HOOKED");
  });

  test("whose fee anybody may set in the manager is a review", async () => {
    const hooks: Hex = "0x4100000000000000000000000000000000000080";
    await fixture.devnet.request("hardhat_setCode", [hooks, loadSample("TuningHook").deployedBytecode]);
    const { verdict, reasonCodes } = await fixture.guard(
      await launch({ hooks, fee: 0x800000, tickSpacing: 60 }),
    );
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["SELLS", "POOL_HOOKED"])]);
  });

  test("that a launchpad publishes is found without an event", async () => {
    // A hook of v4-core's own tests that answers every question of the manager.
    const { deployedBytecode } = load("@uniswap/v4-core/out/MockHooks.sol/MockHooks.json");
    await fixture.devnet.request("hardhat_setCode", [clanker, deployedBytecode.object]);
    const token = await launch({ hooks: clanker, fee: 0x800000, tickSpacing: 200 });
    const { verdict, readings, reasonCodes } = await fixture.guard(token);
    expect([verdict, reasonCodes, readings.hooks]).toEqual([
      "allow",
      expect.arrayContaining(["SELLS", "LIQUIDITY_BURNT"]),
      [expect.objectContaining({ address: clanker, knownAs: "Clanker v4 fee dynamic hook" })],
    ]);
    const isNaming = (read: ChainRead) => read.kind === "logs" && (read.topics?.length ?? 0) > 2;
    expect((await fixture.guard(token, fixture.deafTo(isNaming))).verdict).toBe("allow");
  });
});
