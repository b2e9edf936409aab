import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { simulate } from "./simulate.mjs";
import { fillIn } from "./tables.mjs";

const page = readFileSync(join(import.meta.dirname, "../../docs/scaling.md"), "utf8");

test("docs/scaling.md shows what the simulation gives with the inputs of today", () => {
  expect(fillIn(page, ["vouchers", "disk"])).toBe(page);
  // Control: a table that was changed by hand is written anew.
  expect(fillIn(page.replace("million calls a day", "calls a day"), ["disk"])).toBe(page);
});

/** One server with random work: how long a call takes is known exactly (M/M/1). */
const alone = (cpuMs: number, seconds: number) => ({
  calls: { plain: { cpuMs, databaseMs: 0 } },
  maxBatch: { value: 1 },
  log: { fixedMs: 0, perCallMs: 0 },
  roundTripMs: { value: 0 },
  lane: { transactions: 1, payments: 1 },
  chain: { blockMs: 0, blocksUntilSeen: 0, gasOfTransfer: 0, gasPerSecond: 1 },
  seconds,
  seed: 7,
});

test.each([0.3, 0.8])("a single server at a load of %f waits as queueing theory says", (load) => {
  const cpuMs = 2;
  const perSecond = (load * 1000) / cpuMs;
  const result = simulate(alone(cpuMs, 150), perSecond, { processes: 1, databaseCores: 1, kind: "plain" });
  const mean = cpuMs / (1 - load);
  expect(result.medianMs / (mean * Math.log(2))).toBeCloseTo(1, 1);
  expect(result.p99Ms / (mean * Math.log(100))).toBeGreaterThan(0.85);
  expect(result.p99Ms / (mean * Math.log(100))).toBeLessThan(1.15);
  expect(result.loads["processor of the service"]).toBeCloseTo(load, 1);
});

test("a server that gets more than it can do finishes what it can", () => {
  const result = simulate(alone(2, 20), 1000, { processes: 1, databaseCores: 1, kind: "plain" });
  expect(result.finishedPerSecond).toBeGreaterThan(450);
  expect(result.finishedPerSecond).toBeLessThan(550);
  expect(result.limit).toBe("processor of the service");
});
