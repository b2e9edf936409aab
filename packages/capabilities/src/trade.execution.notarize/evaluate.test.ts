import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, pad, parseAbiParameters, toEventSelector } from "viem";
import { describe, expect, test } from "vitest";
import { evaluateTradeExecution } from "./evaluate.js";
import { guardedHash } from "./judgeGuard.js";
import { tradeExecutionReasons } from "./reasons.js";
import { type SampleLog, sampleExecution } from "./testing/sampleExecution.js";

const POOL: Hex = `0x${"b0".repeat(20)}`;
const OTHER: Hex = `0x${"0d".repeat(20)}`;
const word = (address: Hex) => pad(address, { size: 32 });
const event = (
  signature: string,
  indexed: readonly Hex[],
  types: string,
  values: readonly unknown[],
): SampleLog => ({
  address: POOL,
  topics: [toEventSelector(`event ${signature}`), ...indexed.map((value) => pad(value, { size: 32 }))],
  data: encodeAbiParameters(parseAbiParameters(types) as never, values as never),
});
const evaluate = (logs: readonly SampleLog[], change: object = {}) => {
  const { input, readings } = sampleExecution(logs);
  return evaluateTradeExecution(input, { ...readings, ...change });
};

test("a deposit is proven like any other transaction", () => {
  const { input, readings, sender } = sampleExecution();
  expect(evaluateTradeExecution(input, readings)).toMatchObject({
    verdict: "allow",
    reasonCodes: ["EXECUTION_PROVEN", "TRANSACTION_SUCCEEDED", "FINALIZED", "NO_TOKEN_MOVED"],
    findings: {
      transaction: { type: 0x7e, from: sender, value: "3", nonce: null, selector: "0x12345678" },
      block: { number: 90, timestamp: 1_700_000_000 },
      blocksAbove: 10,
    },
  });
});

test("a failed one is for review, and of it nothing is realised", () => {
  const { input, readings } = sampleExecution([], "0x0");
  expect(evaluateTradeExecution(input, readings)).toMatchObject({
    verdict: "review",
    reasonCodes: ["EXECUTION_PROVEN", "TRANSACTION_REVERTED", "FINALIZED"],
    findings: { succeeded: false, realised: [] },
  });
});

describe("swap events, from the pool's view", () => {
  const swaps = (log: SampleLog) =>
    (evaluate([log]).findings.swaps as { shown: readonly Record<string, unknown>[] }).shown;

  test.each<[string, SampleLog, object]>([
    [
      "Uniswap V2",
      event(
        "Swap(address,uint256,uint256,uint256,uint256,address)",
        [OTHER, OTHER],
        "uint256,uint256,uint256,uint256",
        [5n, 0n, 0n, 9n],
      ),
      { kind: "uniswap_v2", amount0: "5", amount1: "-9", recipient: OTHER },
    ],
    [
      "Aerodrome",
      event(
        "Swap(address,address,uint256,uint256,uint256,uint256)",
        [OTHER, OTHER],
        "uint256,uint256,uint256,uint256",
        [0n, 5n, 9n, 0n],
      ),
      { kind: "aerodrome", amount0: "-9", amount1: "5" },
    ],
    [
      "Uniswap V3 and Slipstream",
      event(
        "Swap(address,address,int256,int256,uint160,uint128,int24)",
        [OTHER, OTHER],
        "int256,int256,uint160,uint128,int24",
        [-9n, 5n, 1n, 1n, 0],
      ),
      { kind: "concentrated", amount0: "-9", amount1: "5" },
    ],
    [
      "Uniswap v4, which writes the swapper's view",
      event(
        "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)",
        ["0x1234", OTHER],
        "int128,int128,uint160,uint128,int24,uint24",
        [-5n, 9n, 1n, 1n, 0, 500],
      ),
      { kind: "uniswap_v4", amount0: "5", amount1: "-9", poolId: pad("0x1234", { size: 32 }) },
    ],
  ])("of %s are decoded", (_, log, expected) => {
    expect(swaps(log)).toMatchObject([{ emitter: POOL, sender: OTHER, isPoolKnown: false, ...expected }]);
    expect(evaluate([log]).limitations.join(" ")).toContain(
      "that an emitter is a pool of the named kind was not checked",
    );
    expect(evaluate([]).limitations.join(" ")).not.toContain("an emitter is a pool");
  });

  test("with too few bytes or topics are none", () => {
    const log = event("Swap(address,address,uint256,uint256,uint256,uint256)", [OTHER, OTHER], "uint256", [
      1n,
    ]);
    expect(swaps(log)).toEqual([]);
    expect(swaps({ ...log, topics: log.topics.slice(0, 2) })).toEqual([]);
  });
});

describe("gains and losses", () => {
  const { sender } = sampleExecution();
  const transfer = (from: Hex, to: Hex, amount: bigint) =>
    event("Transfer(address,address,uint256)", [from, to], "uint256", [amount]);
  const balance = (before: bigint, after: bigint, others: number | null = 0) => ({
    ...{ holder: sender, token: POOL, others },
    before: { status: "value", value: encodeAbiParameters(parseAbiParameters("uint256"), [before]) },
    after: { status: "value", value: encodeAbiParameters(parseAbiParameters("uint256"), [after]) },
  });
  const logs = [transfer(OTHER, sender, 10n), transfer(sender, OTHER, 3n)];

  test.each([
    ["as events report are confirmed", balance(1n, 8n), "REALISED_CONFIRMED", "allow"],
    [
      "as events report are confirmed, even with other transactions",
      balance(1n, 8n, 2),
      "REALISED_CONFIRMED",
      "allow",
    ],
    ["otherwise contradict them", balance(1n, 7n), "REALISED_CONTRADICTED", "review"],
    [
      "otherwise, with others in the block, leave them open",
      balance(1n, 7n, 1),
      "REALISED_UNCONFIRMED",
      "review",
    ],
    [
      "otherwise, in a block that is not known, leave them open",
      balance(1n, 7n, null),
      "REALISED_UNCONFIRMED",
      "review",
    ],
  ])("by balances %s", (_, read, code, verdict) => {
    const answer = evaluate(logs, { balances: [read] });
    expect(answer.verdict).toBe(verdict);
    expect(answer.reasonCodes).toContain(code);
    expect(answer.findings.realised).toMatchObject([{ holder: sender, token: POOL, byEvents: "7" }]);
  });

  test("that nobody read are unconfirmed", () => {
    expect(evaluate(logs).reasonCodes).toContain("REALISED_UNCONFIRMED");
  });

  test("of items are reported by number", () => {
    const item: SampleLog = {
      address: POOL,
      topics: [...transfer(OTHER, sender, 0n).topics, word("0x4d")],
      data: "0x",
    };
    const answer = evaluate([item]);
    expect(answer.findings.items).toEqual({
      total: 1,
      shown: [{ holder: sender, token: POOL, id: "77", byEvents: "1" }],
    });
    expect(answer.verdict).toBe("review");
  });

  test("of a hundred transfers are shown in part", () => {
    const many = Array.from({ length: 100 }, () => transfer(OTHER, OTHER, 1n));
    expect(evaluate(many).findings.transfers).toMatchObject({ total: 100, shown: { length: 64 } });
  });
});

describe("a cited guard", () => {
  const { sender } = sampleExecution();
  const call = { from: sender, to: `0x${"7a".repeat(20)}`, data: "0x12345678", value: 3n } as const;
  const guard = (reservedAtBlock: number, reservedAtMs: number) => ({
    ...{ invocationId: `inv_${"1".repeat(32)}`, capabilityId: "transaction.intent.guard" },
    ...{ capabilityVersion: "1.0.0", inputHash: guardedHash("transaction.intent.guard", "1.0.0", call) },
    ...{ resultHash: `sha256:${"2".repeat(64)}`, receiptUrl: "https://a.org", reservedAtBlock, reservedAtMs },
  });
  const MINED_MS = 1_700_000_000_000;

  test.each([
    ["a millisecond before the block's second is in time", 89, MINED_MS - 1, true],
    ["at the block's second is not", 89, MINED_MS, false],
    ["within the block's second is not, though the height known lagged", 89, MINED_MS + 400, false],
    ["after the block is not, though the height known lagged", 85, MINED_MS + 5_000, false],
    ["when the block was known is not, no matter what the clock said", 90, MINED_MS - 1, false],
    ["long before is not", 60, MINED_MS - 60_000, false],
  ])("asked %s", (_, block, ms, isInTime) => {
    const answer = evaluate([], { guard: guard(block, ms) });
    expect(answer.findings.guard).toMatchObject({ matches: true, isInTime });
    expect(answer.verdict).toBe(isInTime ? "allow" : "review");
    expect(answer.reasonCodes.includes("GUARD_OUTDATED")).toBe(!isInTime);
  });
});

test("only a broken limit blocks", () => {
  const blocking = Object.entries(tradeExecutionReasons).filter(([, { verdict }]) => verdict === "block");
  expect(blocking.map(([code]) => code)).toEqual(["LIMIT_NOT_KEPT"]);
});
