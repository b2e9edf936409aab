import { describe, expect, test } from "vitest";
import { parseCallTrace } from "./parseCallTrace.js";

const [A, B, C] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const TOPIC = `0x${"11".repeat(32)}`;
const frame = (changes: object = {}) => ({
  type: "CALL",
  from: A,
  to: B,
  value: "0x0",
  gas: "0x10",
  gasUsed: "0x5",
  input: "0x",
  output: "0x2a",
  ...changes,
});
const log = (data = "0x") => ({ address: B, topics: [TOPIC], data, position: "0x0" });
const read = (trace: object) => {
  const reading = parseCallTrace(trace);
  if (reading?.status !== "value") throw new Error("no trace");
  return reading.value;
};

describe("a trace", () => {
  test("states how it ended, and what moved and was logged at any depth", () => {
    const inner = frame({
      from: B,
      to: C.toUpperCase().replace("0X", "0x"),
      value: "0x7",
      logs: [log("0x01")],
    });
    expect(read(frame({ value: "0x9", logs: [log()], calls: [inner] }))).toEqual({
      success: true,
      gasUsed: 5n,
      output: "0x2a",
      moves: [
        { from: A, to: B, value: 9n },
        { from: B, to: C, value: 7n },
      ],
      logs: [
        { address: B, topics: [TOPIC], data: "0x" },
        { address: B, topics: [TOPIC], data: "0x01" },
      ],
      calls: [
        { from: A, to: B },
        { from: B, to: C },
      ],
      creates: false,
    });
  });

  test("leaves out what a failed call undid, and all below it, but not whose code ran", () => {
    const deepest = frame({ from: C, to: A, value: "0x7", logs: [log()] });
    const failed = frame({ from: B, to: C, value: "0x3", error: "execution reverted", calls: [deepest] });
    const trace = read(frame({ calls: [failed] }));
    expect(trace).toMatchObject({ success: true, logs: [], moves: [] });
    expect(trace.calls).toHaveLength(3);
    expect(read(frame({ value: "0x9", error: "out of gas" }))).toMatchObject({ success: false, moves: [] });
  });

  test("counts the value of no call that runs with its caller's", () => {
    const calls = ["DELEGATECALL", "CALLCODE", "STATICCALL"].map((type) =>
      frame({ type, from: B, value: "0x7" }),
    );
    expect(read(frame({ calls })).moves).toEqual([]);
    expect(
      read(frame({ calls: [frame({ type: "SELFDESTRUCT", from: B, to: C, value: "0x7" })] })).moves,
    ).toHaveLength(1);
    expect(read(frame({ calls: [frame({ type: "CREATE2", from: B, to: C })] })).creates).toBe(true);
  });

  test("that is longer than any honest one was not read", () => {
    const many = Array.from({ length: 2_000 }, () => frame());
    expect(parseCallTrace(frame({ calls: many }))).toEqual({
      status: "unanswered",
      reason: "trace_too_large",
    });
    const long = [log(`0x${"00".repeat(300_000)}`)];
    expect(parseCallTrace(frame({ logs: long }))).toEqual({
      status: "unanswered",
      reason: "trace_too_large",
    });
  });

  test("of another shape is none", () => {
    for (const result of [null, "0x", {}, { structLogs: [] }, frame({ from: "alice" })])
      expect(parseCallTrace(result)).toBeUndefined();
  });
});
