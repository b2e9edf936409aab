import { lowercase } from "@assay/chain/testing/lowercase";
import { describe, expect, test } from "vitest";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { cloneOf, NOWHERE, useInterfaceFixture } from "./testing/interfaceFixture.js";

const { local, inspect, setCode } = useInterfaceFixture();
const { setSlot } = local;

const beaconNaming = (target: string) => `0x73${lowercase(target).slice(2)}60005260206000f3`;

/** Proxies of the local chain, turned towards another implementation. */
const turn: Record<string, (target: string) => Promise<string>> = {
  async transparentProxy(target) {
    await setSlot(local.devnet.contracts.transparentProxy, knownSlots.eip1967Implementation, target);
    return local.devnet.contracts.transparentProxy;
  },
  async uupsProxy(target) {
    await setSlot(local.devnet.contracts.uupsProxy, knownSlots.eip1967Implementation, target);
    return local.devnet.contracts.uupsProxy;
  },
  async beaconProxy(target) {
    await setCode(beaconNaming(target), local.devnet.contracts.beacon);
    return local.devnet.contracts.beaconProxy;
  },
  async eip1822Proxy(target) {
    await setSlot(local.devnet.contracts.eip1822Proxy, knownSlots.eip1822Implementation, target);
    return local.devnet.contracts.eip1822Proxy;
  },
  async legacyProxy(target) {
    await setSlot(local.devnet.contracts.legacyProxy, knownSlots.zeppelinosImplementation, target);
    return local.devnet.contracts.legacyProxy;
  },
};

describe("tokens behind proxies", () => {
  test.each([
    ["transparentProxy", "PROXY_EIP1967", "eip1967"],
    ["uupsProxy", "PROXY_EIP1967", "eip1967"],
    ["beaconProxy", "PROXY_BEACON", "beacon"],
    ["eip1822Proxy", "PROXY_EIP1822", "eip1822"],
    ["legacyProxy", "PROXY_ZEPPELINOS", "zeppelinos"],
  ])("%s: the token is found in the implementation, which can change", async (name, code, kind) => {
    const { plainToken } = local.devnet.contracts;
    const address = (await turn[name]?.(plainToken)) ?? NOWHERE;
    const result = await inspect(address);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["CODE_PRESENT", code, "ERC20_DETECTED"]),
      findings: {
        standards: { erc20: { implements: "yes", selectorsFound: 6 } },
        proxy: { kind, implementation: lowercase(plainToken) },
        scans: { implementation: { source: "now" } },
      },
      batches: 2,
    });
    expect(result.reasonCodes).not.toContain("STANDARD_UNCERTAIN");
    expect(result.gathered.scans).toHaveLength(2);
    // A beacon's choice comes from a call, which no proof covers.
    expect(result.facts).toHaveLength(kind === "beacon" ? 1 : 2);
  });

  test("a clone of a token is allowed: its code cannot change", async () => {
    const { plainToken } = local.devnet.contracts;
    expect(await inspect(await setCode(cloneOf(plainToken)))).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "MINIMAL_PROXY", "NO_PROXY_SLOT", "ERC20_DETECTED"],
      findings: { proxy: { kind: "eip1167_clone", implementation: lowercase(plainToken) } },
      batches: 2,
    });
  });

  test("an account delegated to a token (EIP-7702) is followed", async () => {
    const { plainToken } = local.devnet.contracts;
    expect(await inspect(await setCode(`0xef0100${lowercase(plainToken).slice(2)}`))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["DELEGATED_ACCOUNT", "ERC20_DETECTED"]),
      gathered: { status: "miss" },
    });
  });

  test.each(["transparentProxy", "beaconProxy", "eip1822Proxy", "legacyProxy"])(
    "%s in front of no code is a review, never a block",
    async (name) => {
      const address = (await turn[name]?.(NOWHERE)) ?? NOWHERE;
      expect(await inspect(address)).toMatchObject({
        verdict: "review",
        reasonCodes: expect.arrayContaining(["IMPLEMENTATION_HAS_NO_CODE"]),
      });
    },
  );

  test("a clone of a proxy stops at the bound", async () => {
    expect(await inspect(await setCode(cloneOf(local.devnet.contracts.transparentProxy)))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["TARGET_IS_PROXY", "FOLLOW_BOUND_REACHED"]),
      batches: 2,
    });
  });

  test("a beacon that names other code to its proxy than to others leaves it to review", async () => {
    const { beacon, beaconProxy, boxV1, boxV2 } = local.devnet.contracts;
    const [toOthers, toContracts] = [boxV1, boxV2].map((target) => beaconNaming(target).slice(2));
    // By the size of the caller's code.
    await setCode(`0x333b602257${toOthers}5b${toContracts}`, beacon);
    expect(await inspect(beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROXY_BEACON", "BEACON_ANSWERS_BY_CALLER"]),
    });
  });

  test("a beacon that names nothing leaves its proxy unread", async () => {
    await setCode("0x60006000fd", local.devnet.contracts.beacon);
    expect(await inspect(local.devnet.contracts.beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["PROXY_BEACON", "BEACON_UNREADABLE"]),
    });
  });

  test("code behind a beacon that is longer than the beacon's answer holds is not scanned", async () => {
    await setCode(`0x${"5b".repeat(24_576)}`, NOWHERE);
    await turn.beaconProxy?.(NOWHERE);
    expect(await inspect(local.devnet.contracts.beaconProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["SCAN_UNFINISHED"]),
      gathered: {
        readings: { implementation: { scan: { status: "unanswered", reason: "code_not_whole" } } },
      },
    });
  });
});
