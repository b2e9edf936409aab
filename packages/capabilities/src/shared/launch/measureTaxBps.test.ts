import fc from "fast-check";
import { expect, test } from "vitest";
import { measureTaxBps } from "./measureTaxBps.js";
import { leg } from "./testing/sampleLaunchReadings.js";

test("what is missing counts, on the way or at the end, whichever is more", () => {
  expect(measureTaxBps(leg({ quoted: "1000", received: "970", sent: "1000", reached: "1000" }))).toBe(300);
  // A sale of a large part of the pool: the price is better for what is left, the tax is the same.
  expect(measureTaxBps(leg({ quoted: "100000", received: "97029", sent: "1000", reached: "970" }))).toBe(300);
  expect(measureTaxBps(leg({ received: "0", reached: "0" }))).toBe(10_000);
});

test("more than was promised is no tax, and nothing promised is not known", () => {
  expect(measureTaxBps(leg({ received: "20000" }))).toBe(0);
  expect(measureTaxBps(leg({ quoted: "0" }))).toBeNull();
  expect(measureTaxBps(leg({ sent: "0" }))).toBeNull();
});

test("a tax taken with integer division is measured to the basis point", () => {
  fc.assert(
    fc.property(fc.bigInt(10n ** 6n, 10n ** 40n), fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
      const kept = (amount - (amount * BigInt(bps)) / 10_000n).toString();
      const given = amount.toString();
      expect(measureTaxBps(leg({ sent: given, quoted: given, reached: kept, received: kept }))).toBe(bps);
    }),
  );
});
