import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { runActions } from "./runActions.js";
import { runClaims } from "./runClaims.js";
import { runRaces } from "./runRaces.js";
import { startTwoProcesses, type TwoProcesses } from "./twoProcesses.js";

// What two processes race for, in the short form of three campaigns. Each control takes a protection out of the
// database they share, so all controls come after all campaigns, and with a seed of their own.
let shared: TwoProcesses;
beforeAll(async () => {
  shared = await startTwoProcesses(inject("postgresUrl"));
});
afterAll(() => shared?.world.close());
const campaign = () => ({ seed: 8453, racers: 8, shared });
const control = () => ({ seed: 8454, racers: 12, shared, withoutProtection: true });

test("a quote raced for at two processes is granted once, charged once, and replayed byte for byte", async () => {
  const summary = await runRaces({ ...campaign(), rounds: 3 });
  expect(summary.violations).toEqual([]);
  expect(summary).toMatchObject({ grants: 3, charges: 3, replays: 3 });
});

test("a nonce and a seeder's slot raced for at two processes are granted once each", async () => {
  const summary = await runActions({ ...campaign(), rounds: 2 });
  expect(summary.violations).toEqual([]);
  expect(summary).toMatchObject({ nonceGrants: 2, slotGrants: 2 });
  expect(summary.seen.of("/api/v1/demand-pledges 401 action_nonce_used")).toBe(14);
  expect(summary.seen.of("/api/v1/artifacts/publish 409 fingerprint_fresh")).toBe(14);
});

test("a false claim contradicted by many is falsified once, at two processes and where one is killed inside", async () => {
  const summary = await runClaims({ ...campaign(), rounds: 1, kills: 1 });
  expect(summary.violations).toEqual([]);
  expect(summary.awards).toBe(2);
  expect(summary.seen.of("no answer")).toBeGreaterThan(0);
});

test("control: consumed by reading first and writing later, quotes are granted more than once", async () => {
  const summary = await runRaces({ ...control(), rounds: 3 });
  expect(summary.grants).toBeGreaterThan(3);
  expect(summary.charges).toBe(summary.grants);
  expect(summary.violations).toContainEqual(expect.stringMatching(/^round \d: quote granted \d+ times;/));
});

test("control: resolved by reading first and writing later, a claim is awarded more than once", async () => {
  const summary = await runClaims({ ...control(), rounds: 1, kills: 0 });
  expect(summary.awards).toBeGreaterThan(1);
  expect(summary.violations).toContainEqual(expect.stringMatching(/^round 1: \d+ awards for one claim$/));
  expect(summary.violations).toContain("1 claims with several counterexamples");
});

// The last, because every signed action spends a nonce.
test("control: where rows do not meet, both a nonce and a seeder's slot are granted to many", async () => {
  const summary = await runActions({ ...control(), rounds: 1 });
  expect(summary).toMatchObject({ nonceGrants: 12, slotGrants: 12 });
  expect(summary.violations).toContainEqual("round 1: nonce granted 12 times");
  expect(summary.violations).toContainEqual("round 1: slot granted 12 times");
});
