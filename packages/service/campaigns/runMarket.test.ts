import { expect, inject, test } from "vitest";
import { runMarket } from "./runMarket.js";

const options = { seed: 8453, rows: 10_000, repeats: 1, postgresUrl: inject("postgresUrl") };

test("what the market answers costs as much after ten thousand calls as after a thousand", async () => {
  const summary = await runMarket(options);
  expect(summary.violations).toEqual([]);
  expect(summary.sizes.map(({ invocations }) => invocations)).toEqual([1_000, 10_000]);
}, 60_000);

test("control: an answer made from the calls themselves is found out", async () => {
  const text = "SELECT count(DISTINCT payer) FROM invocations WHERE settled_at > now() - interval '30 days'";
  const { violations } = await runMarket({
    ...options,
    rows: 5_000,
    questions: [{ answer: "payers", rowsAllowed: 2_000, ask: (db) => db.query({ text }) }],
  });
  expect(violations).toEqual([
    "payers read 5000 rows with 5000 calls; 2000 are enough",
    "payers reads the calls themselves: Seq Scan on invocations",
  ]);
}, 60_000);
