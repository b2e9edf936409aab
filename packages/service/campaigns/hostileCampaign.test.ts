import { expect, inject, test } from "vitest";
import { runHostileCampaign } from "./hostileCampaign.js";
import { facilitatorBehaviours } from "./hostileFacilitator.js";
import { nodeBehaviours } from "./hostileNode.js";

// One or two seeds of each; `npm run campaign:hostile` runs hundreds and prints the first seed of each.
const short = { seed: 8453, seedsEach: 2, together: true, postgresUrl: inject("postgresUrl") };

test("whatever a facilitator does, nobody is charged twice, served unpaid or refused what was taken", async () => {
  const { violations } = await runHostileCampaign({ ...short, behaviours: facilitatorBehaviours });
  expect(violations).toEqual([]);
}, 120_000);

// Apart from the others, so that no buyer runs out of patience before its payment is sent.
test("what a facilitator claims is checked against the chain", async () => {
  const { violations, behaviours } = await runHostileCampaign({
    ...short,
    behaviours: ["lying_success", "lying_failure"],
  });
  expect(violations).toEqual([]);
  // A payment falsely reported as failed is answered a little later; a 402 is given only for one that was not taken.
  const { served, charged, refusedThoughTaken } = behaviours.lying_failure ?? {};
  expect(behaviours.lying_failure?.signatures).toBe(2);
  expect(served).toBe(charged);
  expect(served).toBeGreaterThan(0);
  expect(refusedThoughTaken).toBe(0);
  // A payment falsely reported as settled gets no answer, and fails once the chain can show it.
  expect(behaviours.lying_success).toMatchObject({ served: 0, charged: 0, undecided: 0 });
  expect(behaviours.lying_success?.answers).toHaveProperty("503 payment_outcome_unknown");
}, 120_000);

// These mostly wait for a node to recover, so they do it side by side in a few worlds, one after another in each.
const WORLDS = 3;
const nodeGroups = Array.from({ length: WORLDS }, (_, world) =>
  nodeBehaviours.filter((_behaviour, i) => i % WORLDS === world),
);
test.concurrent.each(nodeGroups.map((behaviours, i) => ({ behaviours, seed: short.seed + i * 1_000_000 })))(
  "whatever a node does, the same holds: $behaviours",
  async ({ behaviours, seed }) => {
    const summary = await runHostileCampaign({ ...short, seedsEach: 1, seed, behaviours });
    expect(summary.violations).toEqual([]);
    expect(Object.keys(summary.behaviours)).toEqual(behaviours);
  },
  120_000,
);

test("control: a facilitator that is taken at its word has calls answered unpaid and payments taken twice", async () => {
  const { behaviours } = await runHostileCampaign({
    ...short,
    behaviours: ["lying_success", "lying_failure"],
    without: "trust the facilitator",
  });
  expect(behaviours.lying_success?.unpaidReleases).toBeGreaterThan(0);
  expect(behaviours.lying_failure?.refusedThoughTaken).toBeGreaterThan(0);
  expect(behaviours.lying_failure?.doubleCharges).toBeGreaterThan(0);
}, 120_000);

test("control: 402 while the outcome is unknown makes honest clients pay twice", async () => {
  const { behaviours } = await runHostileCampaign({
    ...short,
    behaviours: ["settled_then_lost"],
    without: "402 while unknown",
  });
  expect(behaviours.settled_then_lost?.refusedThoughTaken).toBeGreaterThan(0);
  expect(behaviours.settled_then_lost?.doubleCharges).toBeGreaterThan(0);
}, 120_000);
