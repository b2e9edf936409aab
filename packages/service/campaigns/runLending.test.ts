import { expect, test } from "vitest";
import { runLending } from "./runLending.js";

test("whether a borrow runs, and what it leaves behind, is what the contract shows after it was really sent", async () => {
  const { violations, compared, seen } = await runLending({ seed: 8453, rounds: 12 });
  expect(violations).toEqual([]);
  expect(compared).toBeGreaterThan(150);
  expect(seen.of("most: runs")).toBeGreaterThan(8);
  expect(seen.of("most and one: reverts")).toBe(12);
}, 60_000);
