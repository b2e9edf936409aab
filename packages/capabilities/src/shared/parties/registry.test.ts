import { type Hex, hash32Schema } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import accountCodes from "./accountCodes.json" with { type: "json" };
import { compareWithRegistry, hashWithoutImmutables } from "./compareWithRegistry.js";
import { accountKinds, findKnownAccountCode } from "./findKnownAccountCode.js";
import { findParty, listParties, registryVersion } from "./findParty.js";
import { type KnownParty, knownPartySchema } from "./knownParty.js";
import registry from "./registry.json" with { type: "json" };
import registrySignature from "./registry.signature.json" with { type: "json" };
import { isRegistrySigned } from "./registrySignature.js";

const hashes = {
  right: `0x${"a1".repeat(32)}`,
  other: `0x${"b2".repeat(32)}`,
} as const;
const proxyCode = "0x363d3d373d3d3d363d73";
const party = (fields: Partial<KnownParty>): KnownParty => ({
  address: "0x00000000000000000000000000000000000000aa",
  name: "Somebody",
  protocol: "Something",
  role: "router",
  code: [],
  implementations: [],
  keepsTransfers: true,
  source: "a page",
  ...fields,
});

describe("the registry", () => {
  test("has at least 300 parties, each in the form that readings record", () => {
    expect(z.array(knownPartySchema).safeParse(listParties()).error).toBeUndefined();
    expect(listParties().length).toBeGreaterThanOrEqual(300);
    expect(new Set(listParties().map((one) => one.address)).size).toBe(listParties().length);
    expect(registryVersion).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("is signed, and the signature fits nothing else", () => {
    const { signature } = registrySignature as { signature: Hex };
    expect(isRegistrySigned(registry, accountCodes, signature)).toBe(true);
    const [first, ...rest] = registry.parties;
    const renamed = { ...registry, parties: [{ ...first, keepsTransfers: !first?.keepsTransfers }, ...rest] };
    expect(isRegistrySigned(renamed, accountCodes, signature)).toBe(false);
    expect(isRegistrySigned({ ...registry, parties: rest }, accountCodes, signature)).toBe(false);
    expect(isRegistrySigned(registry, { codes: [] }, signature)).toBe(false);
    expect(isRegistrySigned(registry, accountCodes, signature, `0x${"11".repeat(32)}`)).toBe(false);
    expect(isRegistrySigned(registry, accountCodes, "0x")).toBe(false);
  });

  test("names for each address a file that can be looked up, with few exceptions", () => {
    const pinned = /^https:\/\/github\.com\/[^ ]+\/blob\/[0-9a-f]{12}\/|^@?[\w./-]+@\d[\w.-]* |^CREATE2 of/;
    const others = listParties().filter(({ source }) => !pinned.test(source));
    // Burn addresses and precompiles, Base's own precompiles, and what only a page or integrations name.
    expect(others.length).toBeLessThanOrEqual(17);
  });

  test("is found by address in any spelling", () => {
    expect(findParty("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")?.name).toContain("USDC");
    expect(findParty("0x00000000000000000000000000000000000000ab")).toBeUndefined();
  });

  test("says of tokens, routers, pools and burn addresses that they keep what is sent to them", () => {
    const keepers = listParties().filter(({ role }) => ["token", "router", "pool", "burn"].includes(role));
    expect(keepers.length).toBeGreaterThan(100);
    expect(keepers.filter((one) => !one.keepsTransfers)).toEqual([]);
  });
});

describe("code at a listed address", () => {
  const published = party({ code: [{ hash: hashes.right, source: "a package" }] });

  test("matches a published hash, or is changed", () => {
    expect(compareWithRegistry(published, { hash: hashes.right })).toBe("matches");
    expect(compareWithRegistry(published, { hash: hashes.other })).toBe("changed");
    expect(compareWithRegistry(published, undefined)).toBe("unread");
  });

  test("is only listed where no hash is published", () => {
    expect(compareWithRegistry(party({}), { hash: hashes.other })).toBe("listed");
    expect(compareWithRegistry(party({}), undefined)).toBe("listed");
  });

  test("is compared without the values that a constructor wrote", () => {
    const immutables: [number, number][] = [[2, 3]];
    const hash = hashWithoutImmutables(proxyCode, immutables);
    const one = party({ code: [{ hash, immutables, source: "a package" }] });
    expect(compareWithRegistry(one, { hash: hashes.other, bytes: "0x363dffffff3d3d363d73" })).toBe("matches");
    expect(compareWithRegistry(one, { hash: hashes.other, bytes: "0x363dffffffff3d363d73" })).toBe("changed");
    expect(compareWithRegistry(one, { hash: hashes.other })).toBe("unread");
  });

  test("another implementation behind a proxy is not a change of the proxy", () => {
    const implementation = "0x00000000000000000000000000000000000000c1";
    const proxy = party({ implementations: [implementation] });
    expect(compareWithRegistry(proxy, { hash: hashes.other }, implementation)).toBe("matches");
    expect(compareWithRegistry(proxy, { hash: hashes.other }, `0x${"c2".repeat(20)}`)).toBe("listed");
    const checked = party({ implementations: [implementation], code: published.code });
    expect(compareWithRegistry(checked, { hash: hashes.other }, implementation)).toBe("changed");
  });
});

describe("code of accounts", () => {
  test("is listed with a hash, a kind and a source", () => {
    const schema = z.strictObject({
      hash: hash32Schema,
      immutables: z.array(z.tuple([z.int().min(0), z.int().min(1)])).optional(),
      name: z.string(),
      version: z.string(),
      kind: z.enum(accountKinds),
      source: z.string(),
    });
    expect(z.array(schema).safeParse(accountCodes.codes).error).toBeUndefined();
  });

  test("is found for every Safe by the hash of its proxy", () => {
    // The code hash of Safe 1.3.0's proxy, as explorers show it.
    const hash = "0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000";
    expect(findKnownAccountCode(hash)).toMatchObject({ kind: "safe_proxy", version: "1.3.0" });
    expect(findKnownAccountCode(hashes.other)).toBeUndefined();
  });

  test("is found by its bytes when a constructor wrote values into it", () => {
    expect(findKnownAccountCode(hashes.other, proxyCode)).toBeUndefined();
    expect(findKnownAccountCode(hashes.other, "0x")).toBeUndefined();
  });
});
