import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { answering, cloneOf, FRESH, NOWHERE, useGuardFixture, word } from "./testing/guardFixture.js";

const fixture = useGuardFixture();
const { guard, setCode, setSlot, deafTo } = fixture;
const OWNER_CALL = "0x8da5cb5b";
const RENOUNCE_OWNERSHIP: Hex = "0x715018a6";
const asksOwner = (read: ChainRead, of: string) =>
  read.kind === "call" && read.to === lowercase(of) && read.data === OWNER_CALL;
const asksCode = (read: ChainRead, of: string) => read.kind === "code" && read.address === lowercase(of);
const deployer = () => lowercase(fixture.devnet.deployer.address);
/** Who controls it, and the reasons that come from that. */
async function control(address: string, through?: Chain) {
  const result = await guard(address, through);
  const codes = result.reasonCodes.filter((code) => /^(ADMIN|OWNER)_/.test(code));
  return { ...result, codes, control: result.findings.control };
}

describe("an owner", () => {
  test("who is a plain account leaves an ordinary token allowed", async () => {
    expect(await control(fixture.devnet.contracts.taxedToken)).toMatchObject({
      verdict: "allow",
      codes: ["OWNER_IS_ACCOUNT"],
      control: { admins: [], owner: { address: deployer(), kind: "account" } },
      batches: 2,
    });
  });

  test("who has gone leaves it allowed, and nobody is read", async () => {
    const { taxedToken } = fixture.devnet.contracts;
    await fixture.sendAsDeployer(taxedToken, RENOUNCE_OWNERSHIP);
    expect(await control(taxedToken)).toMatchObject({
      verdict: "allow",
      codes: ["OWNER_RENOUNCED"],
      control: { admins: [], owner: { address: null, kind: "nobody" } },
      gathered: { readings: { controllers: [] } },
      batches: 1,
    });
  });

  test("who never was costs no second batch", async () => {
    expect(await control(fixture.devnet.contracts.plainToken)).toMatchObject({
      verdict: "allow",
      codes: [],
      control: { admins: [], owner: null },
      batches: 1,
    });
  });

  test.each<[string, Hex, string, string]>([
    ["a contract", "0x60006000fd", "contract", "OWNER_IS_CONTRACT"],
    ["a delegated account", `0xef0100${NOWHERE.slice(2)}`, "delegated", "OWNER_IS_ACCOUNT"],
  ])("that is %s is reported", async (_, code, kind, reason) => {
    const { taxedToken } = fixture.devnet.contracts;
    await setCode(code, NOWHERE);
    await fixture.sendAsDeployer(taxedToken, `0xf2fde38b${word(NOWHERE).slice(2)}`);
    expect(await control(taxedToken)).toMatchObject({
      verdict: "allow",
      codes: [reason],
      control: { owner: { address: NOWHERE, kind } },
    });
  });

  test("that is the contract itself is not read twice", async () => {
    await setCode(answering(FRESH));
    const result = await control(FRESH);
    expect(result).toMatchObject({
      codes: ["OWNER_IS_CONTRACT"],
      control: { owner: { address: FRESH, kind: "contract" } },
    });
    expect(result.asked.flat().filter((read) => asksCode(read, FRESH))).toHaveLength(1);
  });

  test.each<[string, Hex, string]>([
    ["with two words", "0x60406000f3", "OWNER_UNREADABLE"],
    ["with more than an address", answering(`0x${"f".repeat(64)}`), "OWNER_UNREADABLE"],
  ])("answered %s is a review", async (_, code, reason) => {
    const result = await control(await setCode(code));
    expect(result).toMatchObject({ verdict: "review", codes: [reason] });
  });

  test("refused with an error of its own is no owner", async () => {
    const result = await control(await setCode("0x63deadbeef6000526004601cfd"));
    expect(result).toMatchObject({ codes: [], control: { owner: null } });
  });
});

describe("who may replace the code", () => {
  test("is a proxy admin, followed to the account that owns it", async () => {
    const { transparentProxy, proxyAdmin } = fixture.devnet.contracts;
    const owner = { address: deployer(), kind: "account" };
    const result = await control(transparentProxy);
    expect(result).toMatchObject({
      verdict: "review",
      codes: ["ADMIN_IS_CONTRACT", "OWNER_IS_ACCOUNT"],
      control: {
        admins: [{ role: "eip1967_admin", address: lowercase(proxyAdmin), kind: "contract", owner }],
        owner,
      },
      batches: 2,
    });
    expect(result.facts.map(({ address }) => address)).toEqual(
      expect.arrayContaining([lowercase(proxyAdmin), deployer()]),
    );
  });

  test("is a proxy admin that nobody owns any more", async () => {
    const { transparentProxy, proxyAdmin } = fixture.devnet.contracts;
    await fixture.sendAsDeployer(proxyAdmin, RENOUNCE_OWNERSHIP);
    expect(await control(transparentProxy)).toMatchObject({
      verdict: "review",
      codes: ["ADMIN_IS_CONTRACT", "ADMIN_OWNER_RENOUNCED", "OWNER_IS_ACCOUNT"],
      control: { admins: [{ address: lowercase(proxyAdmin), owner: { address: null, kind: "nobody" } }] },
    });
  });

  test("is the account in the slot of an older proxy", async () => {
    expect(await control(fixture.devnet.contracts.legacyProxy)).toMatchObject({
      verdict: "review",
      codes: ["ADMIN_IS_ACCOUNT", "OWNER_IS_ACCOUNT"],
      control: {
        admins: [{ role: "zeppelinos_admin", address: deployer(), kind: "account", owner: null }],
      },
      batches: 2,
    });
  });

  test("is the account in the ERC-1967 admin slot", async () => {
    const { transparentProxy } = fixture.devnet.contracts;
    await setSlot(transparentProxy, knownSlots.eip1967Admin, NOWHERE);
    expect(await control(transparentProxy)).toMatchObject({
      verdict: "review",
      codes: ["ADMIN_IS_ACCOUNT", "OWNER_IS_ACCOUNT"],
      control: { admins: [{ role: "eip1967_admin", address: NOWHERE, kind: "account", owner: null }] },
    });
  });

  test("is the owner in a diamond's storage", async () => {
    const diamond = await setCode("0x60006000fd");
    await setSlot(diamond, knownSlots.diamondFacets, "0x3");
    await setSlot(diamond, knownSlots.diamondOwner, deployer());
    expect(await control(diamond)).toMatchObject({
      verdict: "review",
      codes: ["ADMIN_IS_ACCOUNT"],
      control: { admins: [{ role: "diamond_owner", address: deployer(), kind: "account" }], owner: null },
      batches: 2,
    });
  });

  test("is the owner of a proxy whose implementation upgrades itself", async () => {
    expect(await control(fixture.devnet.contracts.uupsProxy)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_PRESENT", "PROXY_EIP1967", "PROXY_UUPS", "PAUSE_ABSENT", "OWNER_IS_ACCOUNT"],
      control: { admins: [], owner: { address: deployer(), kind: "account" } },
      batches: 2,
    });
  });

  test("is a beacon, followed to its owner without reading the beacon again", async () => {
    const { beaconProxy, beacon } = fixture.devnet.contracts;
    const owner = { address: deployer(), kind: "account" };
    const result = await control(beaconProxy);
    expect(result).toMatchObject({
      codes: ["ADMIN_IS_CONTRACT", "OWNER_IS_ACCOUNT"],
      control: { admins: [{ role: "beacon", address: lowercase(beacon), kind: "contract", owner }] },
      batches: 2,
    });
    expect(result.asked.flat().filter((read) => asksCode(read, beacon))).toHaveLength(1);
  });

  test("may be the contract itself, which is not read again", async () => {
    const { transparentProxy } = fixture.devnet.contracts;
    await setSlot(transparentProxy, knownSlots.eip1967Admin, transparentProxy);
    const result = await control(transparentProxy);
    expect(result.codes).toEqual(["ADMIN_IS_CONTRACT", "OWNER_IS_ACCOUNT"]);
    expect(result.proofs.finish()).not.toBeNull();
  });

  test("is not asked about for an address without code", async () => {
    expect(await control(NOWHERE)).toMatchObject({ codes: [], control: null, batches: 1 });
  });

  test("is the clone's own business, not its target's", async () => {
    const clone = await setCode(cloneOf(fixture.devnet.contracts.taxedToken));
    expect(await control(clone)).toMatchObject({ verdict: "allow", codes: ["OWNER_RENOUNCED"] });
  });
});

describe("what no node answers", () => {
  test("owner() of the contract is a review", async () => {
    const { taxedToken } = fixture.devnet.contracts;
    const result = await control(
      taxedToken,
      deafTo((read) => asksOwner(read, taxedToken)),
    );
    expect(result).toMatchObject({
      verdict: "review",
      codes: ["OWNER_UNREAD"],
      control: { owner: { address: null, kind: "unread" } },
    });
  });

  test("the owner's code is a review", async () => {
    const result = await control(
      fixture.devnet.contracts.taxedToken,
      deafTo((read) => asksCode(read, deployer())),
    );
    expect(result).toMatchObject({
      verdict: "review",
      codes: ["OWNER_UNREAD"],
      control: { owner: { address: deployer(), kind: "unread" } },
    });
  });

  test("the admin's code, or its owner(), is reported", async () => {
    const { transparentProxy, proxyAdmin } = fixture.devnet.contracts;
    const noCode = await control(
      transparentProxy,
      deafTo((read) => asksCode(read, proxyAdmin)),
    );
    expect(noCode).toMatchObject({ verdict: "review", codes: ["ADMIN_UNREAD", "OWNER_IS_ACCOUNT"] });
    const noOwner = await control(
      transparentProxy,
      deafTo((read) => asksOwner(read, proxyAdmin)),
    );
    expect(noOwner).toMatchObject({
      verdict: "review",
      codes: ["ADMIN_IS_CONTRACT", "ADMIN_UNREAD", "OWNER_IS_ACCOUNT"],
      control: { admins: [{ kind: "contract", owner: { address: null, kind: "unread" } }] },
    });
    for (const { limitations } of [noCode, noOwner])
      expect(limitations.join(" ")).toContain(lowercase(proxyAdmin));
  });
});
