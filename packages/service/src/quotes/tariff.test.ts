import { capabilities, getCapability, highestPrice, priceFor } from "@assay/capabilities";
import type { CacheStatus } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listCoveringCapabilities } from "../evidence/paidParts.js";
import { DIVIDEND_PCT, PLEDGE_CREDIT_PCT, REVIEW_CREDIT_PCT } from "../market/creditTerms.js";
import { createPriceBook, getPrices } from "./priceBook.js";
import { endOfOffer, isPaidBy, refreshPrice } from "./tariff.js";
import {
  BARGAINS,
  CONTRACTS,
  type Protections,
  Purse,
  protections,
  type Step,
  sold,
  WALLETS,
} from "./testing/purse.js";

const prices = createPriceBook();
const statuses: readonly CacheStatus[] = ["hit", "partial", "miss"];

describe("one owner of any number of wallets", () => {
  const wallet = fc.nat(WALLETS - 1);
  const contract = fc.nat(CONTRACTS - 1);
  const item = fc.oneof(
    { weight: 3, arbitrary: fc.nat(BARGAINS - 1) },
    { weight: 1, arbitrary: fc.nat(sold.length - 1) },
  );
  const choice = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(7) });
  const ms = fc.constantFrom(1, 3_999, 10_001, 59_999, 61_000, 86_400_000, 31 * 86_400_000);
  const tookMs = fc.constantFrom(0, 1, 200, 11_000);
  const is = <K extends Step["kind"]>(kind: K) => ({ kind: fc.constant(kind) });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ ...is("price"), isQuote: fc.boolean(), wallet, item, contract }) },
    {
      weight: 2,
      arbitrary: fc.record({ ...is("priceOfArtifact"), isQuote: fc.boolean(), wallet, artifact: choice }),
    },
    { weight: 6, arbitrary: fc.record({ ...is("pay"), wallet, offer: choice, tookMs }) },
    { weight: 2, arbitrary: fc.record({ ...is("publish"), wallet, contract }) },
    { weight: 1, arbitrary: fc.record({ ...is("pledge"), wallet, item }) },
    { weight: 1, arbitrary: fc.record({ ...is("review"), call: choice }) },
    { weight: 3, arbitrary: fc.record({ ...is("wait"), ms }) },
    { weight: 1, arbitrary: fc.record({ ...is("changeCode"), contract }) },
  );
  /** What a purse that knows the rules does: one wallet seeds what another pledges for, buys and reviews. */
  const bargain = fc
    .tuple(wallet, wallet, item, contract, fc.boolean(), fc.boolean())
    .map(([seeder, buyer, bought, about, isQuote, isNew]): Step[] => [
      ...(isNew ? [{ kind: "changeCode", contract: about } as const] : []),
      { kind: "publish", wallet: seeder, contract: about },
      { kind: "pledge", wallet: buyer, item: bought },
      { kind: "price", isQuote, wallet: buyer, item: bought, contract: about },
      { kind: "pay", wallet: buyer, offer: 0, tookMs: 0 },
      { kind: "review", call: 0 },
    ]);
  const part = fc.oneof(
    { weight: 3, arbitrary: step.map((one): Step[] => [one]) },
    { weight: 1, arbitrary: bargain },
  );
  /** Short ones for single tricks, long ones for what adds up. */
  const history = fc
    .oneof(
      fc.array(part, { minLength: 1, maxLength: 10, size: "max" }),
      fc.array(part, { minLength: 15, maxLength: 40, size: "max" }),
    )
    .map((parts): Step[] => parts.flat());

  function findFault(steps: readonly Step[], given: Protections): string | undefined {
    const purse = new Purse(given);
    for (const one of steps) purse.take(one);
    const share = `${purse.paidMicroUsd} of ${purse.listMicroUsd}`;
    const paysTooLittle = purse.paidMicroUsd * 100n < purse.listMicroUsd * 65n;
    return paysTooLittle ? `pays ${share}` : purse.violations[0];
  }
  const search = (given: Protections, numRuns: number) =>
    fc.check(
      fc.property(history, (steps) => findFault(steps, given) === undefined),
      { numRuns, seed: Number(process.env.ASSAY_PROPERTY_SEED ?? 20_261_117) },
    );

  test("pays at least 65 % of the list prices of what it asked, whatever it does, and no price below a hit", () => {
    const runs = Number(process.env.ASSAY_PROPERTY_RUNS ?? 1_000);
    const { failed, counterexample } = search(protections, runs);
    expect([failed, counterexample && findFault(counterexample[0], protections), counterexample]).toEqual([
      false,
      null,
      null,
    ]);
  });

  test("the histories are about something: most buy, and some come near the bound", () => {
    const shares = fc.sample(history, { numRuns: 300, seed: 1 }).flatMap((steps) => {
      const purse = new Purse(protections);
      for (const one of steps) purse.take(one);
      return purse.listMicroUsd > 0n ? [Number(purse.paidMicroUsd) / Number(purse.listMicroUsd)] : [];
    });
    expect(shares.length).toBeGreaterThan(200);
    expect(Math.min(...shares)).toBeLessThan(0.66);
  });

  test.each<[without: string, change: Partial<Protections>, fault: RegExp]>([
    ["a published fingerprint lowers prices", { onlyPaidParts: false }, /pays|instead of/],
    ["a cheap call lowers the price of an expensive one", { onlyCoveringParts: false }, /pays|instead of/],
    [
      "a price outlives its answer",
      { endWithAnswer: false, verifyAfterWork: false },
      /pays|instead of|below its hit price/,
    ],
    [
      "a price is checked before the work only",
      { verifyAfterWork: false },
      /pays|instead of|below its hit price/,
    ],
    [
      "an artifact is computed again at the listed price",
      { refreshAboveHit: false },
      /pays|below its hit price/,
    ],
    ["reviews earn twice as much", { reviewTimes: 2n }, /pays/],
  ])("control: where %s, the search finds it", (_without, change, fault) => {
    const given = { ...protections, ...change };
    const { failed, counterexample } = search(given, 20_000);
    expect(failed).toBe(true);
    expect(findFault(counterexample?.[0] ?? [], given)).toMatch(fault);
  });

  test("what one call gives back is at most 35 % of its cash", () => {
    expect(DIVIDEND_PCT + PLEDGE_CREDIT_PCT + REVIEW_CREDIT_PCT).toBeLessThanOrEqual(35n);
  });
});

test("an offer pays for what costs as much or less", () => {
  for (const { id } of capabilities) {
    const own = getPrices(prices, id);
    for (const offered of statuses)
      for (const actual of statuses)
        expect(isPaidBy(own, actual, offered)).toBe(priceFor(own, actual) <= priceFor(own, offered));
  }
  expect(isPaidBy(getPrices(prices, "contract.guard"), "partial", "hit")).toBe(false);
});

test("only the price of a stored answer that is cheaper than new work ends with it", () => {
  expect(endOfOffer(getPrices(prices, "contract.guard"), 5)).toBe(5);
  expect(endOfOffer(getPrices(prices, "contract.guard"), undefined)).toBeUndefined();
  expect(endOfOffer(getPrices(prices, "transaction.intent.guard"), 5)).toBeUndefined();
});

test("a fingerprint counts for what was paid for it: never for a larger discount", () => {
  expect(listCoveringCapabilities(prices, "contract.guard")).toEqual(["contract.guard", "rwa.market.guard"]);
  expect(listCoveringCapabilities(prices, "rwa.market.guard")).toEqual(["rwa.market.guard"]);
  expect(listCoveringCapabilities(prices, "token.launch.guard")).toContain("contract.guard");
  expect(listCoveringCapabilities(prices, "token.launch.guard")).not.toContain("token.metadata");
  expect(listCoveringCapabilities(prices, "chain.snapshot")).toEqual([]);
});

describe("an expired artifact", () => {
  const own = getPrices(prices, "evidence.artifact");
  const refreshOf = (id: string, status: CacheStatus) => {
    const source = getPrices(prices, id);
    return refreshPrice(own.missMicroUsd, source.hitMicroUsd, priceFor(source, status));
  };

  test("costs the listed price, at least its source's hit price, and never more than its source does now", () => {
    expect(refreshOf("contract.guard", "partial")).toBe(30_000n);
    expect(refreshOf("contract.guard", "hit")).toBe(20_000n);
    expect(refreshOf("contract.change", "partial")).toBe(20_000n);
    expect(refreshOf("amm.v4.hook.guard", "miss")).toBe(150_000n);
    expect(refreshOf("rwa.market.guard", "partial")).toBe(150_000n);
    for (const { id, reuse } of capabilities.filter(({ reuse }) => reuse === "shared"))
      for (const status of statuses) {
        const source = getPrices(prices, id);
        expect([reuse, refreshOf(id, status) >= source.hitMicroUsd]).toEqual(["shared", true]);
        expect(refreshOf(id, status)).toBeLessThanOrEqual(priceFor(source, status));
      }
  });

  test("the most that it can cost is known beforehand", () => {
    expect(highestPrice(getCapability("evidence.artifact"), prices)).toBe(150_000n);
    expect(highestPrice(getCapability("contract.guard"))).toBe(100_000n);
  });
});
