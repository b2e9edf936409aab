import { expect, test } from "vitest";
import { launchCorpus } from "./launch/launchCorpus.js";
import { runLaunch } from "./runLaunch.js";

/**
 * A trap that opens in a later block, and an honest one that looks like it; `npm run campaign:launch` plays all. Tokens with keys
 * that nobody finds are judged in `token.launch.guard/holders.test.ts`, without the seconds that a compiler takes.
 */
const FEW = ["NextBlock", "OneABlock"];

test("tokens whose buyers really lose are not allowed, and honest ones are", async () => {
  const cases = launchCorpus.filter(({ name }) => FEW.includes(name));
  expect(cases).toHaveLength(FEW.length);
  const { violations, seen, doubted } = await runLaunch({ seed: 8453, cases, withSwaps: false });
  expect(violations).toEqual([]);
  expect(doubted).toEqual([]);
  expect(JSON.stringify(seen)).toContain("honest allow");
}, 120_000);

test("the corpus has enough of each kind", () => {
  const traps = launchCorpus.filter(({ label }) => label === "trap");
  expect(traps.length).toBeGreaterThanOrEqual(80);
  expect(new Set(traps.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30);
  expect(launchCorpus.length - traps.length).toBeGreaterThanOrEqual(80);
  expect(new Set(launchCorpus.map(({ name }) => name)).size).toBe(launchCorpus.length);
});
