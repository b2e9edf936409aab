import { readFileSync } from "node:fs";
import type { ChainRead } from "@assay/chain";
import { createChain } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { createDevnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { BEACON_LENS_CODE } from "../shared/proxies/gather/beaconLens.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { createGatherContext } from "../testing/createGatherContext.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";
import { cloneOf, NOWHERE, useGuardFixture } from "./testing/guardFixture.js";

const contractGuard = { ...rule, ...gatherer };

const fixture = useGuardFixture();
const { guard, setCode, setSlot, deafTo } = fixture;
const code = async (address: string) => fixture.devnet.request<Hex>("eth_getCode", [address, "latest"]);
/** Code of a beacon that names one implementation to contracts and another to everybody else. */
const byCaller = (toContracts: string, toOthers: string): Hex =>
  `0x333b602257${named(toOthers)}5b${named(toContracts)}`;
const named = (address: string) => `73${lowercase(address).slice(2)}60005260206000f3`;
const pause = (token: string) => fixture.sendAsDeployer(token, "0x8456cb59");

describe("ordinary code", () => {
  test("a plain token is allowed after one batch", async () => {
    const result = await guard(fixture.devnet.contracts.plainToken);
    expect(result).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "PAUSE_ABSENT"],
      findings: { isContract: true, form: "contract", proxy: null, paused: null },
      batches: 1,
    });
    expect(result.findings.strippedCodeHash).not.toBe(result.findings.codeHash);
    expect(result.gathered.fingerprint).toEqual({
      address: lowercase(fixture.devnet.contracts.plainToken),
      codeHash: result.findings.codeHash,
      bytecodeBytes: ((await code(fixture.devnet.contracts.plainToken)).length - 2) / 2,
      computedAtBlock: result.block.number,
    });
  });

  test("a pausable token is allowed until it is paused", async () => {
    const { pausableToken } = fixture.devnet.contracts;
    expect(await guard(pausableToken)).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "NOT_PAUSED", "OWNER_IS_ACCOUNT"],
      findings: { paused: false, pauseSource: "call" },
      batches: 2,
    });
    await pause(pausableToken);
    expect(await guard(pausableToken)).toMatchObject({
      verdict: "block",
      reasonCodes: ["CODE_PRESENT", "NO_PROXY_SLOT", "CONTRACT_PAUSED", "OWNER_IS_ACCOUNT"],
      findings: { paused: true, pauseSource: "call" },
      batches: 2,
    });
  });

  test("a pause kept in OpenZeppelin's namespaced storage blocks", async () => {
    await setSlot(fixture.devnet.contracts.plainToken, knownSlots.openZeppelinPausable, "0x1");
    expect(await guard(fixture.devnet.contracts.plainToken)).toMatchObject({
      verdict: "block",
      findings: { paused: true, pauseSource: "storage" },
    });
  });

  test.each<[string, Hex, string, string]>([
    [
      "refuses this function with an error of its own",
      "0x5f3560e01c635c975abb146011575f5ffd5b63deadbeef5f526004601cfd",
      "PAUSE_UNREADABLE",
      "review",
    ],
    ["refuses every function with one error", "0x63deadbeef6000526004601cfd", "PAUSE_ABSENT", "allow"],
    ["returns two", "0x600260005260206000f3", "PAUSE_UNREADABLE", "review"],
    ["returns more than a word", "0x60406000f3", "PAUSE_UNREADABLE", "review"],
    ["returns nothing", "0x00", "PAUSE_ABSENT", "allow"],
    ["reverts silently", "0x60006000fd", "PAUSE_ABSENT", "allow"],
  ])("a contract that %s is %s", async (_, bytecode, reason, verdict) => {
    const result = await guard(await setCode(bytecode));
    expect(result.reasonCodes).toContain(reason);
    expect(result.verdict).toBe(verdict);
  });
});

describe("addresses that are not ordinary code", () => {
  test("a plain account is a review without a code hash", async () => {
    const address = lowercase(NOWHERE);
    const result = await guard(address);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["NO_CODE"],
      findings: { isContract: false, form: "empty", bytecodeBytes: 0 },
      batches: 1,
    });
    expect(result.gathered.fingerprint).toEqual({
      address,
      codeHash: null,
      bytecodeBytes: 0,
      computedAtBlock: result.block.number,
    });
  });

  test("a native token is a review", async () => {
    expect(await guard(await setCode("0xef"))).toMatchObject({
      verdict: "review",
      reasonCodes: ["NATIVE_TOKEN_CODE"],
      findings: { form: "native_b20", bytecodeBytes: 1 },
      batches: 1,
    });
  });

  test("a delegated account is a review that names its delegate", async () => {
    const delegate = lowercase(fixture.devnet.contracts.boxV1);
    const account = await setCode(`0xef0100${delegate.slice(2)}`);
    expect(await guard(account)).toMatchObject({
      verdict: "review",
      reasonCodes: ["DELEGATED_ACCOUNT", "NO_PROXY_SLOT", "PAUSE_ABSENT", "OWNER_RENOUNCED"],
      findings: {
        form: "eip7702_delegation",
        proxy: { kind: "eip7702_delegation", implementation: delegate },
      },
      batches: 2,
    });
  });
});

describe("proxies of the local chain", () => {
  test.each([
    ["transparentProxy", "eip1967", "boxV1", "proxyAdmin", ["PROXY_EIP1967", "PROXY_ADMIN_SET"]],
    ["uupsProxy", "eip1967", "uupsBoxV1", null, ["PROXY_EIP1967", "PROXY_UUPS"]],
    ["beaconProxy", "beacon", "boxV1", null, ["PROXY_BEACON"]],
    ["eip1822Proxy", "eip1822", "proxiableBox", null, ["PROXY_EIP1822"]],
    ["legacyProxy", "zeppelinos", "boxV1", "deployer", ["PROXY_ZEPPELINOS", "PROXY_ADMIN_SET"]],
  ] as const)("%s is a review after two batches", async (name, kind, implementation, admin, codes) => {
    const { contracts, deployer } = fixture.devnet;
    const adminAddress =
      admin === null ? null : lowercase(admin === "deployer" ? deployer.address : contracts[admin]);
    const result = await guard(contracts[name]);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["CODE_PRESENT", ...codes, "PAUSE_ABSENT"]),
      findings: {
        proxy: {
          kind,
          implementation: lowercase(contracts[implementation]),
          admin: adminAddress,
          beacon: kind === "beacon" ? lowercase(contracts.beacon) : null,
        },
      },
      batches: 2,
    });
    const behind = await guard(contracts[implementation]);
    expect(result.findings.implementationCode).toMatchObject({
      codeHash: behind.findings.codeHash,
      strippedCodeHash: behind.findings.strippedCodeHash,
      bytecodeBytes: behind.findings.bytecodeBytes,
    });
  });

  test("a clone of ordinary code is allowed", async () => {
    expect(await guard(fixture.devnet.contracts.minimalProxy)).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "MINIMAL_PROXY", "NO_PROXY_SLOT", "PAUSE_ABSENT", "OWNER_IS_ACCOUNT"],
      findings: {
        form: "eip1167_clone",
        proxy: { implementation: lowercase(fixture.devnet.contracts.boxV1) },
      },
      batches: 2,
    });
  });

  test("a clone of a paused-in-storage contract follows its own storage", async () => {
    const clone = await setCode(cloneOf(fixture.devnet.contracts.pausableToken));
    expect(await guard(clone)).toMatchObject({ verdict: "allow", findings: { paused: false } });
    await setSlot(clone, knownSlots.openZeppelinPausable, "0x1");
    expect(await guard(clone)).toMatchObject({ verdict: "block", findings: { paused: true } });
  });

  test.each([
    ["beaconProxy", 4],
    ["minimalProxy", 2],
  ] as const)("a clone of %s stops at the bound", async (target, batches) => {
    expect(await guard(await setCode(cloneOf(fixture.devnet.contracts[target])))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["MINIMAL_PROXY", "TARGET_IS_PROXY", "FOLLOW_BOUND_REACHED"]),
      batches,
    });
  });

  test("a diamond is recognised by its facets", async () => {
    // Answers every call with one facet: (32, 1, address of this contract).
    const diamond = await setCode("0x602060005260016020523060405260606000f3");
    expect(await guard(diamond)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROXY_DIAMOND"]),
      findings: { proxy: { kind: "diamond", facets: [diamond] } },
    });
  });

  test("a Safe is recognised by its first slot and masterCopy()", async () => {
    // Answers every call with its first slot.
    const safe = await setCode("0x60005460005260206000f3");
    await setSlot(safe, knownSlots.safeSingleton, fixture.devnet.contracts.boxV1);
    expect(await guard(safe)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROXY_SAFE"]),
      findings: { proxy: { kind: "safe", implementation: lowercase(fixture.devnet.contracts.boxV1) } },
      batches: 2,
    });
  });
});

describe("proxies that are broken", () => {
  test.each([
    ["transparentProxy", "eip1967Implementation"],
    ["eip1822Proxy", "eip1822Implementation"],
    ["legacyProxy", "zeppelinosImplementation"],
  ] as const)("%s pointing at no code is blocked", async (name, slot) => {
    await setSlot(fixture.devnet.contracts[name], knownSlots[slot], NOWHERE);
    const result = await guard(fixture.devnet.contracts[name]);
    expect(result.verdict).toBe("block");
    expect(result.reasonCodes).toContain("IMPLEMENTATION_HAS_NO_CODE");
  });

  test("a clone of nothing is blocked", async () => {
    const result = await guard(await setCode(cloneOf(NOWHERE)));
    expect(result).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["IMPLEMENTATION_HAS_NO_CODE"]),
    });
  });

  test("a beacon that names no code blocks its proxies", async () => {
    const { beacon, beaconProxy } = fixture.devnet.contracts;
    await setCode(`0x73${NOWHERE.slice(2)}60005260206000f3`, beacon);
    expect(await guard(beaconProxy)).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["PROXY_BEACON", "IMPLEMENTATION_HAS_NO_CODE"]),
      batches: 2,
    });
  });

  test.each<[string, Hex]>([
    ["refuses", "0x60006000fd"],
    ["refuses at length", "0x620100006000fd"],
    ["answers nothing", "0x00"],
    ["answers no address", "0x60001960005260206000f3"],
  ])("a beacon that %s leaves its proxy to review", async (_, bytecode) => {
    await setCode(bytecode, fixture.devnet.contracts.beacon);
    expect(await guard(fixture.devnet.contracts.beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROXY_BEACON", "BEACON_UNREADABLE"]),
    });
  });

  test("a beacon that names other code to its proxy than to others is reported, and no code is taken for the proxy's", async () => {
    const { beacon, beaconProxy, boxV1, boxV2 } = fixture.devnet.contracts;
    await setCode(byCaller(boxV2, boxV1), beacon);
    const result = await guard(beaconProxy);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROXY_BEACON", "BEACON_ANSWERS_BY_CALLER"]),
      findings: { implementationCode: null, proxy: { kind: "beacon", implementation: null } },
      batches: 2,
    });
    expect(result.limitations.join(" ")).toContain("names other code to its proxy than to others");
    // One that names the same to both is none of these.
    await setCode(byCaller(boxV2, boxV2), beacon);
    expect(await guard(beaconProxy)).toMatchObject({
      findings: { proxy: { implementation: lowercase(boxV2) } },
      reasonCodes: expect.not.arrayContaining(["BEACON_ANSWERS_BY_CALLER"]),
    });
  });

  test("a beacon that does not answer its proxy leaves it to review", async () => {
    const { beacon, beaconProxy } = fixture.devnet.contracts;
    const deaf = deafTo(
      (read) => read.kind === "call" && read.to === lowercase(beacon) && read.from !== undefined,
    );
    expect((await guard(beaconProxy, deaf)).reasonCodes).toContain("IMPLEMENTATION_UNREAD");
  });

  test("the code a beacon names is fingerprinted up to the largest size", async () => {
    const large: Hex = `0x${"5b".repeat(24_576)}`;
    await setCode(large, NOWHERE);
    await setCode(`0x73${NOWHERE.slice(2)}60005260206000f3`, fixture.devnet.contracts.beacon);
    const behind = await guard(NOWHERE);
    const result = await guard(fixture.devnet.contracts.beaconProxy);
    expect(result.findings.implementationCode).toEqual({
      codeHash: behind.findings.codeHash,
      bytecodeBytes: 24_576,
      strippedCodeHash: null,
      form: "contract",
      target: null,
    });
  });

  test("two slots that differ are a conflict", async () => {
    const { transparentProxy, boxV2 } = fixture.devnet.contracts;
    await setSlot(transparentProxy, knownSlots.zeppelinosImplementation, boxV2);
    expect(await guard(transparentProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["CONFLICTING_PROXY_SLOTS", "PROXY_EIP1967", "PROXY_ZEPPELINOS"]),
      batches: 2,
    });
  });
});

describe("a node that fails", () => {
  test.each<[string, ChainRead["kind"], string]>([
    ["code", "code", "CODE_UNREAD"],
    ["calls", "call", "PAUSE_UNREAD"],
  ])("at %s makes a plain token a review", async (_, kind, reason) => {
    const result = await guard(
      fixture.devnet.contracts.plainToken,
      deafTo((read) => read.kind === kind),
    );
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain(reason);
    expect(result.gathered.fingerprint === undefined).toBe(kind === "code");
  });

  test("at storage and at proofs makes a plain token a review", async () => {
    const { plainToken } = fixture.devnet.contracts;
    const result = await guard(
      plainToken,
      deafTo(({ kind }) => kind === "storage" || kind === "proof"),
    );
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain("SLOT_UNREAD");
    // Either of the two is enough.
    for (const deaf of ["storage", "proof"]) {
      const heard = await guard(
        plainToken,
        deafTo(({ kind }) => kind === deaf),
      );
      expect(heard.verdict).toBe("allow");
    }
  });

  test.each(["minimalProxy", "transparentProxy", "beaconProxy"] as const)(
    "between the batches makes %s a review",
    async (name) => {
      const own = lowercase(fixture.devnet.contracts[name]);
      const isOwn = (read: ChainRead) =>
        read.kind === "call" ? read.to === own : "address" in read && read.address === own;
      const result = await guard(
        fixture.devnet.contracts[name],
        deafTo((read) => !isOwn(read)),
      );
      expect(result.verdict).toBe("review");
      expect(result.reasonCodes).toContain("IMPLEMENTATION_UNREAD");
    },
  );

  test("altogether makes everything unread, not an error", async () => {
    const other = await createDevnet({ blockTimeMs: 0 });
    const dying = await createChain({ rpcUrls: [other.rpcUrl], expectedChainId: 8453 });
    const block = await dying.latestBlock();
    await other.close();
    const input = { address: lowercase(other.contracts.plainToken) };
    const { readings } = await contractGuard.gather(createGatherContext(dying, block), input);
    expect(contractGuard.evaluate(input, readings)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_UNREAD", "SLOT_UNREAD", "PROXY_PROBE_UNREAD", "PAUSE_UNREAD", "OWNER_UNREAD"],
    });
    await dying.close();
  }, 60_000);
});

test("the beacon lens is the compiler's output", () => {
  const path = new URL("../../../../contracts/out/BeaconLens.json", import.meta.url);
  expect(BEACON_LENS_CODE).toBe(JSON.parse(readFileSync(path, "utf8")).bytecode);
});
