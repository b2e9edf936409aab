import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { findParty } from "../shared/parties/findParty.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { createLauncher } from "../testing/createLauncher.js";
import { deployLayout, proxyLayouts } from "../testing/proxyLayouts.js";
import { NOWHERE, useGuardFixture } from "./testing/guardFixture.js";

const fixture = useGuardFixture();
const { guard, setCode } = fixture;
const place = () => ({
  devnet: fixture.devnet,
  setCode: (address: string, code: string) => setCode(code as Hex, address as typeof NOWHERE),
  setSlot: fixture.setSlot,
});
const deploy = async (name: string, args: readonly unknown[] = []) => {
  const address = await createLauncher(fixture.devnet).deploy(name, args);
  await fixture.devnet.mine();
  return address;
};
/** What one answer may ask a node that proves its state. */
const MAX_REQUESTS = 15;

describe("code that can be replaced is reported, with what runs", () => {
  test.each(Object.keys(proxyLayouts))("in %s", async (name) => {
    const { address, implementation, replace } = await deployLayout(place(), name);
    await fixture.devnet.mine();
    const before = await guard(address);
    expect(before).toMatchObject({
      verdict: "review",
      findings: { proxy: { kind: proxyLayouts[name]?.kind } },
    });
    expect(before.findings.proxy?.implementation).toBe(implementation);
    expect(before.reasonCodes).not.toContain("NO_PROXY_SLOT");
    expect(before.summary).toMatch(/^(Upgradeable proxy|Contract of several parts)/);
    expect(before.proofs.finish()).not.toBeNull();
    await replace();
    await fixture.devnet.mine();
    const after = await guard(address);
    expect(after.verdict).toBe("review");
    if (implementation !== null) expect(after.findings.proxy?.implementation).not.toBe(implementation);
    // By now the client knows that the node proves its state, and asks it for no slot alone.
    expect(new Set(after.asked.flat().map((read) => JSON.stringify(read))).size).toBeLessThanOrEqual(
      MAX_REQUESTS,
    );
  });

  test("where slots name other code than what runs", async () => {
    const { boxV1, boxV2 } = fixture.devnet.contracts;
    const result = await guard(await deploy("DecoyProxy", [boxV1, boxV2]));
    expect(result).toMatchObject({
      verdict: "review",
      findings: { proxy: { implementation: lowercase(boxV2) } },
    });
    expect(result.reasonCodes).toEqual(expect.arrayContaining(["PROXY_STORED", "PROXY_SLOT_UNUSED"]));
  });

  test("where only one function runs it", async () => {
    expect(await guard(await deploy("PartlyDelegating", [fixture.devnet.contracts.boxV1]))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["DELEGATES_PARTLY"]),
    });
  });

  test("unless nobody answers what the code reads", async () => {
    const { address } = await deployLayout(place(), "a slot that nobody names");
    await fixture.devnet.mine();
    await guard(fixture.devnet.contracts.boxV2);
    const { asked } = await guard(address);
    const further = new Set(asked[1]?.map((read) => JSON.stringify(read)));
    const silent = fixture.deafTo(
      (read) => (read.kind === "proof" || read.kind === "storage") && further.has(JSON.stringify(read)),
    );
    const result = await guard(address, { ...silent, provesState: () => false });
    expect(result.verdict).toBe("review");
  });
});

describe("code that always runs one contract is judged as that", () => {
  const to = (target: string) => lowercase(target).slice(2);
  test.each<[string, (target: string) => Hex]>([
    ["EIP-1167", (a) => `0x363d3d373d3d3d363d73${to(a)}5af43d82803e903d91602b57fd5bf3`],
    ["a Vyper forwarder", (a) => `0x366000600037611000600036600073${to(a)}5af4602c57600080fd5b6110006000f3`],
    [
      "a clone that logs ether and keeps it",
      (a) =>
        `0x36603057343d52307f830d2d700a97af574b186c80d40429385d24241565b08a7c559ba283a964d9b160203da23d3df35b3d3d3d3d363d3d37363d73${to(a)}5af43d3d93803e605b57fd5bf3`,
    ],
    [
      "the target pushed as a whole word",
      (a) => `0x363d3d373d3d3d363d7f${"0".repeat(24)}${to(a)}5af43d82803e903d91603757fd5bf3`,
    ],
  ])("%s", async (_, code) => {
    const { plainToken } = fixture.devnet.contracts;
    const clone = await setCode(code(plainToken));
    expect(await guard(clone)).toMatchObject({
      verdict: "allow",
      findings: { proxy: { kind: "eip1167_clone", implementation: lowercase(plainToken) } },
      summary: expect.stringMatching(/^Fixed clone of 0x/),
    });
    expect(await guard(await setCode(code(NOWHERE)))).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["IMPLEMENTATION_HAS_NO_CODE"]),
    });
  });

  test("libraries, its own functions and what its keeper chooses make no proxy", async () => {
    expect(await guard(await deploy("FixedDelegations", [fixture.devnet.contracts.boxV1]))).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_ABSENT"],
      batches: 1,
      summary: expect.stringMatching(/^Ordinary contract; its code cannot be replaced\./),
    });
  });
});

describe("code made to take", () => {
  const thief = "0x00000000000000000000000000000000bad00001";
  test.each<[string, () => readonly unknown[], string]>([
    ["SampleDrainer", () => [thief, fixture.devnet.contracts.stablecoin], "TAKES_APPROVED_TOKENS"],
    ["CollectingDrainer", () => [], "TAKES_APPROVED_TOKENS"],
    ["ForwardingBait", () => [], "TAKES_ETHER_FOR_NOTHING"],
    ["KeepingBait", () => [], "TAKES_ETHER_FOR_NOTHING"],
    ["SweepingDelegate", () => [thief], "TAKES_ETHER_FOR_NOTHING"],
  ])("%s is not allowed, and a clone of it neither", async (name, args, reason) => {
    const address = await deploy(name, args());
    const expected = { verdict: "review", reasonCodes: expect.arrayContaining([reason]) };
    expect(await guard(address)).toMatchObject(expected);
    const clone = await setCode(`0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`);
    expect(await guard(clone)).toMatchObject(expected);
  });

  test("is not a shop that keeps accounts", async () => {
    const { stablecoin } = fixture.devnet.contracts;
    expect(await guard(await deploy("HonestShop", [thief, stablecoin]))).toMatchObject({ verdict: "allow" });
  });

  test("run by an account blocks; other unknown code there is a review", async () => {
    const sweeper = await deploy("SweepingDelegate", [thief]);
    const account = await setCode(`0xef0100${sweeper.slice(2)}`);
    expect(await guard(account)).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["DELEGATED_ACCOUNT", "DELEGATE_SWEEPS"]),
      summary: expect.stringMatching(/^An account whose delegate passes on/),
    });
    const box = lowercase(fixture.devnet.contracts.boxV1);
    expect(await guard(await setCode(`0xef0100${box.slice(2)}`))).toMatchObject({ verdict: "review" });
  });
});

describe("a published address", () => {
  const usdc = baseAddresses.usdc;
  const [implementation] = findParty(usdc)?.implementations ?? [];
  const codeOf = (address: string) => fixture.devnet.request<Hex>("eth_getCode", [address, "latest"]);

  test("that runs a published implementation is allowed, and another is a review", async () => {
    if (implementation === undefined) throw new Error("no implementation is published");
    const { legacyProxy, boxV1, boxV2 } = fixture.devnet.contracts;
    const place = (code: Hex, address: string) => setCode(code, address as typeof NOWHERE);
    await place(await codeOf(legacyProxy), usdc);
    await place(await codeOf(boxV2), implementation);
    await fixture.setSlot(usdc, knownSlots.zeppelinosImplementation, implementation);
    const genuine = await guard(usdc);
    expect(genuine).toMatchObject({
      verdict: "allow",
      reasonCodes: expect.arrayContaining(["PARTY_MATCHES", "UPGRADEABLE_BY_KNOWN"]),
      findings: { proxy: { kind: "zeppelinos", implementation } },
    });
    expect(genuine.summary).toMatch(/^Upgradeable proxy of USD Coin.*; its code matches the published one\./);
    await fixture.setSlot(usdc, knownSlots.zeppelinosImplementation, boxV1);
    expect(await guard(usdc)).toMatchObject({ verdict: "review" });
    // The slot is right, but the code does not obey it.
    await fixture.setSlot(usdc, knownSlots.zeppelinosImplementation, implementation);
    await place(await codeOf(boxV1), usdc);
    expect((await guard(usdc)).verdict).not.toBe("allow");
  });

  test("with other code than the published one is blocked", async () => {
    const { multicall3, plainToken } = fixture.devnet.contracts;
    expect(await guard(multicall3)).toMatchObject({
      verdict: "allow",
      reasonCodes: expect.arrayContaining(["PARTY_MATCHES"]),
    });
    await setCode(await codeOf(plainToken), multicall3 as typeof NOWHERE);
    expect(await guard(multicall3)).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["PARTY_CODE_CHANGED"]),
    });
  });
});
