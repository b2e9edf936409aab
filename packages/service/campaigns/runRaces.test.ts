import { expect, inject, test } from "vitest";
import { runRaces } from "./runRaces.js";

const postgresUrl = inject("postgresUrl");

test("a quote raced for at two processes is granted once, charged once, and replayed byte for byte", async () => {
  const summary = await runRaces({ seed: 8453, rounds: 5, racers: 20, postgresUrl });
  expect(summary.violations).toEqual([]);
  expect(summary).toMatchObject({ grants: 5, charges: 5, replays: 5 });
}, 60_000);

test("control: consumed by reading first and writing later, quotes are granted more than once", async () => {
  const summary = await runRaces({ seed: 8453, rounds: 3, racers: 20, postgresUrl, withoutProtection: true });
  expect(summary.grants).toBeGreaterThan(3);
  expect(summary.charges).toBe(summary.grants);
  expect(summary.violations).toContainEqual(expect.stringMatching(/^round \d: quote granted \d+ times$/));
}, 60_000);
