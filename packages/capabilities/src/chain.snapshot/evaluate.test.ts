import { canonicalJson } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateChainSnapshot } from "./evaluate.js";
import { type ChainSnapshotReadings, chainSnapshotReadingsSchema } from "./readings.js";

const HASH = `0x${"ab".repeat(32)}` as const;
const history = (changes: object = {}): ChainSnapshotReadings["feeHistory"] => ({
  status: "value",
  value: {
    oldestBlock: 98,
    baseFeePerGas: ["1000", "1000", "1000", "1100"],
    gasUsedRatio: [0.5, 0, 0.5],
    reward: [
      ["10", "20", "30"],
      ["0", "0", "0"],
      ["30", "40", "50"],
    ],
    ...changes,
  },
});
const readings = (changes: Partial<ChainSnapshotReadings> = {}): ChainSnapshotReadings => ({
  block: { number: 100, hash: HASH, timestamp: 1_000, baseFeePerGas: "1000" },
  observedAtMs: 1_000_400,
  feeHistory: history(),
  ...changes,
});
const judge = (changes?: Partial<ChainSnapshotReadings>) => evaluateChainSnapshot({}, readings(changes));

test("a fresh block with fee history is allowed, with fees from blocks that held transactions", () => {
  expect(judge()).toMatchObject({
    verdict: "allow",
    reasonCodes: ["CHAIN_SNAPSHOT"],
    findings: {
      blockNumber: 100,
      blockHash: HASH,
      timestamp: 1_000,
      ageMs: 400,
      baseFeePerGas: "1000",
      fees: {
        slow: { maxPriorityFeePerGas: "10", maxFeePerGas: "2210" },
        standard: { maxPriorityFeePerGas: "20", maxFeePerGas: "2220" },
        fast: { maxPriorityFeePerGas: "30", maxFeePerGas: "2230" },
      },
    },
  });
});

describe("fees", () => {
  const one = { maxPriorityFeePerGas: "1", maxFeePerGas: "2201" };
  test.each<[string, object]>([
    ["no rewards", { reward: [] }],
    ["only empty blocks", { gasUsedRatio: [0, 0, 0] }],
    ["rewards of zero", { reward: [["0", "0", "0"]], gasUsedRatio: [0.5] }],
    ["rows without percentiles", { reward: [[], [], []] }],
  ])("%s give the smallest priority fee a pool takes", (_, changes) => {
    expect(judge({ feeHistory: history(changes) }).findings.fees).toEqual({
      slow: one,
      standard: one,
      fast: one,
    });
  });

  test("the block's own base fee counts when the next one is lower", () => {
    const feeHistory = history({ baseFeePerGas: ["1", "1", "1", "900"], reward: [] });
    expect(judge({ feeHistory }).findings.fees).toMatchObject({ slow: { maxFeePerGas: "2001" } });
  });
});

test("unread fee history is a review without fees", () => {
  expect(judge({ feeHistory: { status: "unanswered", reason: "timeout" } })).toMatchObject({
    verdict: "review",
    reasonCodes: ["CHAIN_SNAPSHOT", "FEE_HISTORY_UNREAD"],
    findings: { fees: null },
  });
});

test("a block without a base fee is a review without fees", () => {
  const block = { number: 100, hash: HASH, timestamp: 1_000, baseFeePerGas: null };
  expect(judge({ block })).toMatchObject({
    verdict: "review",
    reasonCodes: ["CHAIN_SNAPSHOT", "NO_BASE_FEE"],
    findings: { fees: null },
  });
});

test.each([
  [1_030_000, "allow"],
  [1_030_001, "review"],
])("a block read at %d ms is %s", (observedAtMs, verdict) => {
  expect(judge({ observedAtMs }).verdict).toBe(verdict);
});

test("any readings the schema accepts get one answer, with fees in order", () => {
  const wei = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
  const anyReadings = fc.record({
    block: fc.record({
      number: fc.nat(),
      hash: fc.constant(HASH),
      timestamp: fc.nat(),
      baseFeePerGas: fc.option(wei),
    }),
    observedAtMs: fc.maxSafeNat(),
    feeHistory: fc.oneof(
      fc.constant({ status: "absent" as const }),
      fc.record({
        status: fc.constant("value" as const),
        value: fc.record({
          oldestBlock: fc.nat(),
          baseFeePerGas: fc.array(wei),
          gasUsedRatio: fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
          reward: fc.array(fc.array(wei, { maxLength: 4 })),
        }),
      }),
    ),
  });
  fc.assert(
    fc.property(anyReadings, (generated) => {
      const parsed = chainSnapshotReadingsSchema.parse(generated);
      const evaluation = evaluateChainSnapshot({}, parsed);
      expect(canonicalJson(evaluateChainSnapshot({}, parsed))).toBe(canonicalJson(evaluation));
      const fees = evaluation.findings.fees as Record<string, { maxPriorityFeePerGas: string }> | null;
      if (fees === null) return;
      const priorities = ["slow", "standard", "fast"].map((name) =>
        BigInt(fees[name]?.maxPriorityFeePerGas ?? -1),
      );
      expect(priorities).toEqual([...priorities].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      expect(priorities[0]).toBeGreaterThanOrEqual(1n);
    }),
  );
});
