import { expect, test } from "vitest";
import { explainPrice } from "./explainPrice.js";
import type { OracleParts } from "./readings.js";

const NOW = 1_794_900_000;
const ETH_USD = BigInt("0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70").toString();
const VAULT = "4096";

const none = { feed: "0", decimals: null, answer: null, updatedAt: null };
const noVault = { vault: "0", sample: "1", assets: null, assetDecimals: null };
const feed = (answer: string) => ({ feed: ETH_USD, decimals: "8", answer, updatedAt: String(NOW - 60) });
/** Wrapped ether priced in a token of 6 places. */
const oracleParts = (changes: Partial<OracleParts> = {}): OracleParts => ({
  scaleFactor: (10n ** 16n).toString(),
  vaults: [noVault, noVault],
  feeds: [feed("300000000000"), none, none, none],
  tokenDecimals: { collateralToken: "18", loanToken: "6" },
  ...changes,
});
const explain = (changes?: Partial<OracleParts>) => explainPrice(oracleParts(changes), NOW);

test("a price of one feed is its answer at the scale that the places ask for", () => {
  expect(explain()).toMatchObject({
    status: "explained",
    price: 3000n * 10n ** 24n,
    isScaleRight: true,
    feeds: [{ name: "BASE_FEED_1", pair: "ETH / USD", ageSeconds: 60 }],
    vaults: [],
  });
});

test("a vault is priced by the asset in it, whatever places its own shares have", () => {
  // A share of 18 places holds 1.1 dollars of 6, of which each costs one dollar by the feed.
  const vault = {
    vault: VAULT,
    sample: (10n ** 18n).toString(),
    assets: "1100000",
    assetDecimals: "6",
  };
  const dollars = { vaults: [vault, noVault], feeds: [feed("100000000"), none, none, none] };
  const scaled = explain({ ...dollars, scaleFactor: (10n ** (36n + 6n - 6n - 8n - 18n)).toString() });
  expect(scaled).toMatchObject({
    price: 11n * 10n ** 23n,
    isScaleRight: true,
    vaults: [{ name: "BASE_VAULT", address: "0x0000000000000000000000000000000000001000" }],
  });
  expect(explain(dollars)).toMatchObject({ isScaleRight: false });
});

test.each<[string, Partial<OracleParts>]>([
  ["no scale", { scaleFactor: null }],
  ["a getter missing", { feeds: [{ ...none, feed: null }, none, none, none] }],
  ["a feed that is no address", { feeds: [{ ...none, feed: (2n ** 160n).toString() }, none, none, none] }],
  ["no sample", { vaults: [{ ...noVault, sample: null }, noVault] }],
])("%s is an oracle of another form", (_, changes) => {
  expect(explain(changes)).toEqual({ status: "unknownForm" });
});

test.each<[string, Partial<OracleParts>]>([
  ["a price of zero", { feeds: [feed("0"), none, none, none] }],
  ["a price below zero", { feeds: [feed((2n ** 256n - 1n).toString()), none, none, none] }],
  ["no answer", { feeds: [{ ...feed("1"), answer: null }, none, none, none] }],
  ["no time", { feeds: [{ ...feed("1"), updatedAt: null }, none, none, none] }],
  [
    "two to the 255th places",
    { feeds: [{ ...feed("1"), decimals: (2n ** 255n).toString() }, none, none, none] },
  ],
  ["a silent vault", { vaults: [{ ...noVault, vault: VAULT }, noVault] }],
  ["a token without places", { tokenDecimals: { collateralToken: null, loanToken: "6" } }],
])("%s is a part that was not read", (_, changes) => {
  expect(explain(changes)).toMatchObject({
    status: "unread",
    missing: expect.arrayContaining([expect.any(String)]),
  });
});

test("any time a feed may state is an age, however far off", () => {
  const old = explain({ feeds: [{ ...feed("1"), updatedAt: "0" }, none, none, none] });
  expect(old).toMatchObject({ feeds: [{ ageSeconds: NOW }] });
  const future = { ...feed("1"), updatedAt: (2n ** 256n - 1n).toString() };
  expect(explain({ feeds: [future, none, none, none] })).toMatchObject({
    feeds: [{ ageSeconds: -Number.MAX_SAFE_INTEGER }],
  });
});
