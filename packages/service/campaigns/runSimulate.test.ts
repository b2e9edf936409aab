import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { packageFolder } from "../src/base/packageFolder.js";
import { Tally } from "./commandLine.js";
import { listKeptSeeds, runSimulate, type SimulateSummary } from "./runSimulate.js";
import { playWorld } from "./simulation/playWorld.js";
import { faultRateOf } from "./simulation/playWorlds.js";
import type { ProtectionName } from "./simulation/protections.js";
import { sourceProtections } from "./simulation/sourceProtections.js";

const here = { livesPerWorld: 40, threads: 0 };

test("lives of payments under faults at every wait end as they must", async () => {
  const summary = await runSimulate({ ...here, seed: 2, lives: 160 });
  expect(summary.violations).toEqual([]);
  expect(summary.outcomes.of("settled")).toBeGreaterThan(20);
  expect(summary.outcomes.of("voucher settled")).toBeGreaterThan(10);
  expect(summary.pairs).toBeGreaterThan(40);
}, 60_000);

test("the same seed gives the same events, and another seed others", async () => {
  const hashOf = async (seed: number) => {
    const { traceHash } = await playWorld({ seed, lives: 8, faultRate: 0.02, coverage: new Tally() });
    return traceHash;
  };
  const first = await hashOf(5);
  expect(await hashOf(5)).toBe(first);
  expect(await hashOf(6)).not.toBe(first);
}, 60_000);

const kept = listKeptSeeds();
test.each(kept.map(({ seed, lives, broke }) => [broke, seed, lives] as const))(
  "what once broke ends as it must: %s",
  async (_broke, seed, lives) => {
    const { violations } = await playWorld({
      ...{ seed, lives, faultRate: faultRateOf(seed), coverage: new Tally() },
    });
    expect(violations).toEqual([]);
  },
  60_000,
);

describe("control: without the protection that", () => {
  test.each<[ProtectionName, number, RegExp]>([
    ["one call for each authorization", 0, /duplicate key|denied after it was answered/],
    ["a quote is taken once", 5, /a quote bought more than one call/],
    ["settling is committed before the money moves", 0, /a payment was taken and its call is/],
    ["a call is settled once", 18, /another number of receipts/],
    ["a deposit counts once", 2, /charged more than it holds/],
  ])(
    "%s, violations are reported",
    async (without, seed, violation) => {
      const summary = await runSimulate({ ...here, seed, lives: 80, without });
      expect(summary.violations).toContainEqual(expect.stringMatching(violation));
    },
    60_000,
  );
});

test("each line that a control leaves out stands in its source once", () => {
  for (const { file, from } of Object.values(sourceProtections))
    expect(readFileSync(new URL(file, packageFolder), "utf8").split(from), from).toHaveLength(2);
});

/** The built command, which can play in threads. */
async function simulate(...flags: string[]): Promise<SimulateSummary> {
  const program = fileURLToPath(new URL("dist/campaigns/simulate.js", packageFolder));
  const run = promisify(execFile)(process.execPath, [program, ...flags]);
  // It ends with 1 where a rule was broken, and says so all the same.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as SimulateSummary;
}

test("what happens does not depend on the number of threads", async () => {
  const flags = ["--seed", "7", "--lives", "40", "--lives-per-world", "10"];
  const [one, two] = await Promise.all(["1", "2"].map((threads) => simulate(...flags, "--threads", threads)));
  expect(one).toMatchObject({ violations: [], worlds: 4 });
  expect(two?.traceHash).toBe(one?.traceHash);
}, 60_000);
