import { expect, inject, test } from "vitest";
import { type LedgerOptions, runLedger } from "./runLedger.js";

// The first history of this seed is long enough for every end of a command, and for seeds that reach their caps.
const short: LedgerOptions = {
  seed: 99,
  commands: 700,
  historyLength: 2_000,
  roundLength: 250,
  shrinkMs: 0,
  postgresUrl: inject("postgresUrl"),
};

test("many racing, retried and crashing commands leave the books as a model has them", async () => {
  const summary = await runLedger(short);
  expect(summary.violations).toEqual([]);
  // The histories were worth playing: every way a command can end was taken.
  const ends = Object.keys(summary.outcomes.toJSON());
  expect(ends).toEqual(
    expect.arrayContaining(["begun with credit", "credit was gone", "crashed", "settled", "settled before"]),
  );
  expect(ends).toEqual(
    expect.arrayContaining([
      "given up",
      "reported",
      "reported before",
      "pledged",
      "published",
      "entry not repeated",
    ]),
  );
  expect(summary.cappedSeeds).toBeGreaterThan(0);
}, 60_000);

test.each([
  // The model notices the first dividend that is too large, before or when the books are counted.
  ["cap", /^\d+ seeds that earned more than their cap$|^the model moved \[dividend:/],
  ["cause", /moved credit twice$/],
  // So does it notice the wallet that owes, where the books do not show it yet.
  ["debit", /^\d+ accounts below zero that issue nothing$|^wallet:0x[0-9a-f]{40} owes \d+$/],
] as const)(
  "control: without the protection of %s, violations are reported",
  async (without, violation) => {
    // Shorter rounds: the books are counted, and the history ends, soon after the first violation.
    const summary = await runLedger({ ...short, roundLength: 125, without });
    expect(summary.violations).toContainEqual(expect.stringMatching(violation));
  },
  60_000,
);
