import { expect, test } from "vitest";
import { createGasMoney } from "./gasMoney.js";

test("the settler's ether is asked for at first, again after a while, and each time while there is little", () => {
  let nowMs = 0;
  const money = createGasMoney(() => nowMs);
  expect(money.isDue(5n)).toBe(true);
  money.note(1_000n);
  expect(money.isDue(5n)).toBe(false);
  expect(money.isDue(6n)).toBe(true);
  nowMs = 9_999;
  expect(money.isDue(5n)).toBe(false);
  nowMs = 10_000;
  expect(money.isDue(5n)).toBe(true);
  money.note(999n);
  expect(money.isDue(5n)).toBe(true);
});
