import { type Hex, unanswered, valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import { fingerprintBytecode } from "../code/fingerprintBytecode.js";
import { isBurnAddress, looksLike, type PartyReading, viewParty } from "./partyView.js";

const ADDRESS: Hex = "0x1111111111111111111111111111111111111111";
const known: NonNullable<PartyReading["known"]> = {
  address: ADDRESS,
  name: "A router",
  protocol: "Example",
  role: "router",
  code: [],
  implementations: [],
  keepsTransfers: true,
  source: "https://example.org",
};
const party = (parts: Partial<PartyReading>): PartyReading => ({
  address: ADDRESS,
  code: valueReading(fingerprintBytecode("0x6000")),
  implementation: null,
  nonce: null,
  keeps: null,
  wallet: null,
  known: null,
  standing: null,
  account: null,
  ...parts,
});
const kindOf = (parts: Partial<PartyReading>) => viewParty(ADDRESS, new Set(), [party(parts)]).kind;
const wallet = {
  name: "Safe",
  version: "1.4.1",
  kind: "safe_singleton",
  source: "https://example.org",
} as const;

test("each party is of one kind", () => {
  expect(kindOf({})).toBe("contract");
  expect(kindOf({ code: valueReading(fingerprintBytecode("0x")) })).toBe("account");
  expect(kindOf({ code: unanswered("timeout") })).toBe("unread");
  expect(kindOf({ account: wallet })).toBe("smart_account");
  expect(kindOf({ wallet: valueReading({ isClaimed: true, isSenders: false }) })).toBe("claimed_account");
  const delegated = valueReading(fingerprintBytecode(`0xef0100${"22".repeat(20)}`));
  expect(kindOf({ code: delegated })).toBe("delegated");
  expect(kindOf({ code: delegated, account: { ...wallet, kind: "eip7702_delegate" } })).toBe("account");
  expect(viewParty(ADDRESS, new Set([ADDRESS]), []).kind).toBe("own");
});

test("a published address is known until its code is another", () => {
  for (const standing of ["matches", "listed"] as const) expect(kindOf({ known, standing })).toBe("known");
  expect(kindOf({ known, standing: "changed" })).toBe("changed");
});

test("addresses look alike by their first and last four digits", () => {
  const bob: Hex = "0xb622a4174d13da40f3fe6abaf39e5703eaf40403";
  expect(looksLike("0xb622000000000000000000000000000000000403", bob)).toBe(true);
  expect(looksLike(bob, bob)).toBe(false);
  expect(looksLike("0xb623000000000000000000000000000000000403", bob)).toBe(false);
});

test("nobody has a key to a burn address", () => {
  for (const address of [
    "0x0000000000000000000000000000000000000000",
    "0x000000000000000000000000000000000000dead",
  ])
    expect(isBurnAddress(address as Hex)).toBe(true);
  expect(isBurnAddress(ADDRESS)).toBe(false);
});
