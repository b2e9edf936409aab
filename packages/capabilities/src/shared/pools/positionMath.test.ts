import { expect, test } from "vitest";
import { BOTTOM_ROOT, holdingsAt, rootAt, rootOf, TOP_ROOT } from "./positionMath.js";

const near = (found: bigint, wanted: bigint, perMillion = 10n) =>
  expect((found > wanted ? found - wanted : wanted - found) * 1_000_000n).toBeLessThanOrEqual(
    wanted * perMillion,
  );

test("roots of ticks are those that pools keep", () => {
  expect(rootAt(0)).toBe(2n ** 96n);
  // Of the lowest and the highest tick, as pools state them.
  near(TOP_ROOT, 1461446703485210103287273052203988822378723970342n);
  near(rootAt(-200_000), 3598751819609688046946419n);
  near(rootAt(200_000), 1744244129640337381386292603617838n);
  expect(BOTTOM_ROOT).toBeGreaterThan(0n);
  near(rootOf(4n, 1n), 2n ** 97n);
});

test("a position holds what was put in while the price stays", () => {
  const range = { lower: rootAt(-1000), upper: rootAt(1000) };
  const put = [10n ** 18n, 10n ** 18n] as const;
  const [first, second] = holdingsAt(range, put, 2n ** 96n);
  near(first, put[0]);
  near(second, put[1]);
});

test("a position of all prices holds roots of its product", () => {
  const everywhere = { lower: BOTTOM_ROOT, upper: TOP_ROOT };
  // Put in at a price of one, and the market has a hundred: ten times less of the one, ten times more of the other.
  const [first, second] = holdingsAt(everywhere, [10n ** 18n, 10n ** 18n], rootOf(100n, 1n));
  near(first, 10n ** 17n);
  near(second, 10n ** 19n);
});

test("outside of its range a position holds one token alone", () => {
  const range = { lower: rootAt(1000), upper: rootAt(2000) };
  expect(holdingsAt(range, [10n ** 18n, 0n], rootAt(3000))[0]).toBe(0n);
  const [first, second] = holdingsAt(range, [10n ** 18n, 0n], rootAt(0));
  near(first, 10n ** 18n);
  expect(second).toBe(0n);
});
