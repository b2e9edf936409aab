import { expect, inject, test } from "vitest";
import { runClaims } from "./runClaims.js";

const options = { seed: 8453, postgresUrl: inject("postgresUrl") };

test("a false claim contradicted by many is falsified once, at two processes and where one is killed inside", async () => {
  const summary = await runClaims({ ...options, rounds: 1, racers: 20, kills: 1 });
  expect(summary.violations).toEqual([]);
  expect(summary.awards).toBe(2);
  expect(summary.seen.of("no answer")).toBeGreaterThan(0);
}, 120_000);

test("control: resolved by reading first and writing later, a claim is awarded more than once", async () => {
  const summary = await runClaims({ ...options, rounds: 1, racers: 20, kills: 0, withoutProtection: true });
  expect(summary.awards).toBeGreaterThan(1);
  expect(summary.violations).toContainEqual(expect.stringMatching(/^round 1: \d+ awards for one claim$/));
  expect(summary.violations).toContain("1 claims with several counterexamples");
}, 120_000);
