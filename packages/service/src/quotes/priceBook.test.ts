import { capabilities } from "@assay/capabilities";

import { expect, test } from "vitest";
import { createPriceBook, getPrices, PriceBookError } from "./priceBook.js";

const refusalOf = (overrides: unknown): string => {
  try {
    createPriceBook(overrides);
  } catch (error) {
    expect(error).toBeInstanceOf(PriceBookError);
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(overrides)}`);
};

test("without overrides every capability has its catalog price", () => {
  const book = createPriceBook();
  expect(book.size).toBe(capabilities.length);
  for (const spec of capabilities) expect(getPrices(book, spec.id)).toEqual(spec.prices);
});

test("an override changes one price of one capability", () => {
  const book = createPriceBook({ "contract.guard": { cacheMissUsd: 0.123456 } });
  expect(getPrices(book, "contract.guard")).toEqual({
    hitMicroUsd: 20_000n,
    partialMicroUsd: 50_000n,
    missMicroUsd: 123_456n,
  });
  expect(getPrices(book, "token.metadata")).toEqual(getPrices(createPriceBook(), "token.metadata"));
});

test("the minimum itself is a valid price, less is not", () => {
  const book = createPriceBook({ "contract.guard": { cacheHitUsd: 0.001 } });
  expect(getPrices(book, "contract.guard").hitMicroUsd).toBe(1000n);
  for (const cacheHitUsd of [0.000999, 0, -1])
    expect(refusalOf({ "contract.guard": { cacheHitUsd } })).toMatch(/^contract\.guard: cacheHitUsd /);
});

test("reuse may not cost more than new work", () => {
  const sentence = /^contract\.guard: reuse may not cost more than new work/;
  expect(refusalOf({ "contract.guard": { cacheHitUsd: 0.2 } })).toMatch(sentence);
  expect(refusalOf({ "contract.guard": { fingerprintHitUsd: 0.010001 } })).toMatch(sentence);
  expect(refusalOf({ "contract.guard": { cacheMissUsd: 0.04 } })).toMatch(sentence);
  const level = { cacheHitUsd: 0.04, fingerprintHitUsd: 0.04, cacheMissUsd: 0.04 };
  expect(getPrices(createPriceBook({ "contract.guard": level }), "contract.guard").missMicroUsd).toBe(
    40_000n,
  );
});

test("what is no price, no capability or no known field is refused by name", () => {
  expect(refusalOf({ "contract.gard": { cacheHitUsd: 0.02 } })).toContain("contract.gard");
  expect(refusalOf({ "contract.guard": { cacheHitUsd: 0.0200001 } })).toContain("cacheHitUsd");
  expect(refusalOf({ "contract.guard": { cachehitusd: 0.02 } })).toContain("cachehitusd");
  expect(refusalOf({ "contract.guard": { cacheHitUsd: "0.02" } })).toContain("cacheHitUsd");
  for (const overrides of [null, [], "0.02", { "contract.guard": null }]) refusalOf(overrides);
});
