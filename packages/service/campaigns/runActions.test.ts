import { expect, inject, test } from "vitest";
import { runActions } from "./runActions.js";

const postgresUrl = inject("postgresUrl");

test("a nonce and a seeder's slot raced for at two processes are granted once each", async () => {
  const summary = await runActions({ seed: 8453, rounds: 4, racers: 20, postgresUrl });
  expect(summary.violations).toEqual([]);
  expect(summary).toMatchObject({ nonceGrants: 4, slotGrants: 4 });
  expect(summary.seen.of("/api/v1/demand-pledges 401 action_nonce_used")).toBe(76);
  expect(summary.seen.of("/api/v1/artifacts/publish 409 fingerprint_fresh")).toBe(76);
}, 60_000);

test("control: where rows do not meet, both are granted to many", async () => {
  const summary = await runActions({
    seed: 8453,
    rounds: 2,
    racers: 20,
    postgresUrl,
    withoutProtection: true,
  });
  expect(summary.nonceGrants).toBe(40);
  expect(summary.slotGrants).toBe(40);
  expect(summary.violations).toContainEqual("round 1: nonce granted 20 times");
  expect(summary.violations).toContainEqual("round 1: slot granted 20 times");
}, 60_000);
