import { expect, inject, test } from "vitest";
import { runIntent } from "./runIntent.js";

test("measured differences are what the chain shows after the transaction was really sent", async () => {
  const summary = await runIntent({ seed: 8453, rounds: 40, postgresUrl: inject("postgresUrl") });
  expect(summary.violations).toEqual([]);
  expect(summary.compared).toBeGreaterThan(200);
  const kinds = Object.keys(summary.seen.toJSON());
  expect(kinds.filter((kind) => kind.startsWith("classic")).length).toBeGreaterThan(2);
  expect(kinds.filter((kind) => kind.startsWith("concentrated")).length).toBeGreaterThan(1);
  expect(kinds.some((kind) => kind.endsWith("reverts"))).toBe(true);
}, 60_000);
