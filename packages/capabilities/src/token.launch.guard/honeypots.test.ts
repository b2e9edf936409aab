import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi, parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { loadSample } from "../testing/loadSample.js";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const { guard } = fixture;
const SUPPLY = parseEther("1000000000");
const ownableAbi = parseAbi(["function renounceOwnership()", "function transferOwnership(address)"]);
const adminAbi = parseAbi(["function upgradeAndCall(address,address,bytes)"]);

/** A proxy in front of a plain token, traded in a pair. */
async function launchProxy() {
  const { launcher, devnet } = fixture;
  const implementation = await launcher.deploy("ProxiedToken");
  const trap = await launcher.deploy("ProxiedTrap");
  const initialize = encodeFunctionData({
    abi: loadSample("ProxiedToken").abi,
    functionName: "initialize",
    args: [devnet.deployer.address, SUPPLY],
  });
  const token = await launcher.deploy("TransparentUpgradeableProxy", [
    implementation,
    devnet.deployer.address,
    initialize,
  ]);
  await launcher.addPair(token);
  return { token, implementation, trap };
}

async function findAdmin(proxy: string): Promise<Hex> {
  const slot = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";
  const word = await fixture.devnet.request<Hex>("eth_getStorageAt", [proxy, slot, "latest"]);
  return `0x${word.slice(-40)}`;
}

describe("a token that cannot be sold is blocked", () => {
  test("when sales revert", async () => {
    const result = await guard(fixture.devnet.contracts.honeypotToken);
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toContain("SALE_FAILS");
    expect(result.reasonCodes).not.toContain("TAX_NONE");
    const [pool] = result.findings.pools;
    for (const { legs } of pool?.runs ?? [])
      expect(legs?.filter(({ success }) => !success).map(({ leg }) => leg)).toEqual(["sellHalf", "sellRest"]);
  });

  test.each<[string, string, readonly unknown[], string]>([
    ["all of a sale is taxed away", "SaleTaxToken", [10_000n], "SALE_FAILS"],
    ["half of a sale is taxed away", "SaleTaxToken", [5_000n], "TAX_CONFISCATORY"],
    ["a buyer must wait for a year", "CooldownToken", [], "SALE_FAILS"],
    ["only small amounts sell", "MaxSellToken", [], "SALE_FAILS"],
    ["only contracts sell", "AccountTrapToken", [], "SENDERS_DIFFER"],
    ["only those sell who are not at the origin", "OriginTrapToken", [], "SENDERS_DIFFER"],
    ["only those sell who pay for no gas", "GasPriceTrapToken", [], "SALE_FAILS"],
  ])("when %s", async (_, sample, args, reason) => {
    const result = await guard(await fixture.launcher.launch(sample, ...args));
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toContain(reason);
  });

  test("and one that sells while no base fee is shown is not allowed", async () => {
    const result = await guard(await fixture.launcher.launch("BaseFeeTrapToken"));
    expect(result.verdict).not.toBe("allow");
    expect(result.reasonCodes).toContain("SIMULATION_RECOGNISABLE");
  });

  test("when its proxy was upgraded to a trap, and is a review before", async () => {
    const { token, implementation, trap } = await launchProxy();
    const before = await guard(token);
    expect(before).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["SELLS", "TAX_NONE", "TOKEN_UPGRADEABLE"]),
      findings: { upgradeable: true, implementation, proxyAdmin: await findAdmin(token) },
      batches: 2,
    });
    await fixture.launcher.call(await findAdmin(token), adminAbi, "upgradeAndCall", [token, trap, "0x"]);
    expect(await guard(token)).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["SALE_FAILS", "TOKEN_UPGRADEABLE"]),
      findings: { implementation: trap },
    });
  });
});

describe("a token that sells until its owner acts is blocked", () => {
  test.each<[string, string, readonly unknown[], string | null]>([
    ["a tax is switched on", "SwitchedTaxToken", [10_000n], "setSellTax(uint256)"],
    ["the seller is blacklisted", "BlacklistToken", [], "setBlacklist(address,bool)"],
    ["the pair is blocked", "BlockedPairToken", [], "blockPair(address)"],
    ["everything is paused", "PausableToken", [], "pause()"],
    ["a function with a meaningless name is called", "ObscureToken", [], null],
  ])("when %s", async (_, sample, args, name) => {
    const token = await fixture.launcher.launch(sample, ...args);
    const result = await guard(token);
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toEqual(
      expect.arrayContaining(["SELLS", "TAX_NONE", "OWNER_IS_ACCOUNT", "SALES_STOPPABLE_BY_OWNER"]),
    );
    expect(result.reasonCodes).not.toContain("NO_POWER_FOUND");
    const harmful = result.findings.powers?.harmful ?? [];
    expect(harmful).toContainEqual(
      expect.objectContaining({ effect: "stops", function: name ?? expect.stringMatching(/^0x/) }),
    );
  });

  test("but not once that owner has gone", async () => {
    for (const sample of ["BlacklistToken", "ObscureToken"]) {
      const token = await fixture.launcher.launchForGood(sample);
      await fixture.launcher.call(token, ownableAbi, "renounceOwnership");
      const result = await guard(token);
      expect(result).toMatchObject({
        verdict: "allow",
        findings: { owner: { address: null, kind: "nobody" }, powers: { harmful: [], unexplained: [] } },
      });
      expect(result.reasonCodes).toEqual(expect.arrayContaining(["OWNER_RENOUNCED", "POWERS_RENOUNCED"]));
    }
  });

  test("and is a review when that owner is a contract", async () => {
    const token = await fixture.launcher.launch("BlacklistToken");
    const { wallet1271 } = fixture.devnet.contracts;
    await fixture.launcher.call(token, ownableAbi, "transferOwnership", [wallet1271]);
    const result = await guard(token);
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toEqual(
      expect.arrayContaining(["OWNER_IS_CONTRACT", "SALES_STOPPABLE_BY_CONTRACT"]),
    );
  });

  test("a capped tax is harmless, and is raised to its cap in the trial", async () => {
    const capped = await guard(await fixture.launcher.launchForGood("SwitchedTaxToken", 500n));
    expect(capped.verdict).toBe("allow");
    expect(capped.reasonCodes).toEqual(expect.arrayContaining(["POWERS_HARMLESS", "TAX_NONE"]));
    const quarter = await guard(await fixture.launcher.launchForGood("SwitchedTaxToken", 2_500n));
    expect(quarter.verdict).toBe("review");
    expect(quarter.reasonCodes).toContain("SALE_TAX_RAISABLE");
    expect(quarter.findings.powers?.harmful).toContainEqual(
      expect.objectContaining({ function: "setSellTax(uint256)", effect: "raises", taxBps: 2_500 }),
    );
  });
});
