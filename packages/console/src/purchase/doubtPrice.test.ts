import type { CapabilityEntry, Quote } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { doubtPrice } from "./doubtPrice.js";

const entry = (id: string, cacheHitUsd: number, fingerprintHitUsd: number, cacheMissUsd: number) =>
  ({ id, pricing: { cacheHitUsd, fingerprintHitUsd, cacheMissUsd } }) as unknown as CapabilityEntry;
const guard = entry("contract.guard", 0.02, 0.05, 0.1);
const artifact = entry("evidence.artifact", 0.01, 0.01, 0.03);

const doubt = (
  quote: Pick<Quote, "cacheStatus" | "listPriceUsd" | "creditAppliedUsd" | "priceUsd">,
  { of = guard, secondsLeft = 60 } = {},
) => doubtPrice({ usd: quote.priceUsd, quote: quote as never }, of, secondsLeft);
const plain = (cacheStatus: Quote["cacheStatus"], usd: number, credit = 0) => ({
  cacheStatus,
  listPriceUsd: usd,
  creditAppliedUsd: credit,
  priceUsd: Number((usd - credit).toFixed(6)),
});

describe("a price held against the catalog", () => {
  it("is not doubted at a listed price, less credit, for a minute by clocks that nearly agree", () => {
    for (const quote of [plain("hit", 0.02), plain("partial", 0.05), plain("miss", 0.1)])
      expect(doubt(quote, { secondsLeft: 119 })).toBeUndefined();
    expect(doubt(plain("miss", 0.1, 0.034567))).toBeUndefined();
    for (const usd of [0.02, 0.15]) expect(doubt(plain("miss", usd), { of: artifact })).toBeUndefined();
    expect(doubtPrice({ usd: 0.05, quote: undefined }, guard, undefined)).toBeUndefined();
  });

  it.each([
    ["above the listed price of a miss", plain("miss", 0.11), "The catalog lists at most $0.10"],
    [
      "of a miss, called a hit",
      plain("hit", 0.1),
      "asks $0.10 for an answer shared from an earlier call; the catalog lists $0.02",
    ],
    [
      "of a hit, called a miss",
      plain("miss", 0.02),
      "asks $0.02 for an answer computed for this call; the catalog lists $0.10",
    ],
    [
      "that is not the list price less the credit",
      { ...plain("miss", 0.1, 0.05), priceUsd: 0.06 },
      "$0.10 less $0.05 of credit is not $0.06",
    ],
  ])("is doubted %s", (_, quote, words) => {
    expect(doubt(quote)).toContain(words);
  });

  it("is doubted where it is valid longer than a quote can be, and without a quote above the listed price", () => {
    expect(doubt(plain("miss", 0.1), { secondsLeft: 3_600 })).toContain("would be valid for 3600 s");
    expect(doubt(plain("miss", 0.16), { of: artifact })).toContain("at most $0.15");
    expect(doubt(plain("hit", 0.03), { of: artifact })).toContain("the catalog lists $0.01");
    expect(doubtPrice({ usd: 0.2, quote: undefined }, guard, undefined)).toContain("at most $0.10");
  });
});
