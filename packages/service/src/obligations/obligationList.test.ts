import { expect, test } from "vitest";
import { parseObligationList } from "./obligationList.js";

const line = {
  type: "upgrade_window",
  address: `0x${"Ab".repeat(20)}`,
  windowBlocks: 100,
  challengeHours: 24,
};

test("a line is normalized, and everything optional may be left out", () => {
  const code = {
    ...line,
    type: "bytecode",
    bytecodeHash: null,
    bytecodeBytes: 0,
    everyHours: 6,
    rewardUsd: 1.5,
  };
  expect(parseObligationList([line, { ...line, implementation: null }, code])).toEqual([
    { ...line, address: line.address.toLowerCase(), rewardUsd: 0 },
    { ...line, address: line.address.toLowerCase(), rewardUsd: 0, implementation: null },
    { ...code, address: line.address.toLowerCase() },
  ]);
});

const { windowBlocks: _, ...windowless } = line;
test.each<[string, unknown]>([
  ["must be a JSON list of obligations", line],
  ["line 1: type must be upgrade_window or bytecode", [{ ...line, type: "promise" }]],
  ["line 2: address must be 0x followed by 40 hex digits", [line, { ...line, address: "0x12" }]],
  ["line 1: address is required", [{ ...line, address: undefined }]],
  ["line 1: challengeHours is required", [{ ...line, challengeHours: undefined }]],
  ["line 1: challengeHours must be from 0 to 720", [{ ...line, challengeHours: 721 }]],
  ["line 1: windowHours or windowBlocks, or fromBlock and toBlock must be given", [windowless]],
  ["line 1: windowHours must not stand beside windowBlocks", [{ ...line, windowHours: 24 }]],
  ["line 1: windowHours must be above 0 and at most 720", [{ ...windowless, windowHours: 721 }]],
  [
    "line 1: windowBlocks must not stand beside fromBlock or toBlock",
    [{ ...line, fromBlock: 1, toBlock: 2 }],
  ],
  ["line 1: fromBlock and toBlock must be given together", [{ ...windowless, toBlock: 2 }]],
  ["line 1: fromBlock must be at most toBlock", [{ ...windowless, fromBlock: 3, toBlock: 2 }]],
  [
    "line 1: everyHours needs windowHours or windowBlocks: fixed blocks come once",
    [{ ...windowless, fromBlock: 1, toBlock: 2, everyHours: 1 }],
  ],
  ["line 1: rewardUsd must be whole millionths of a dollar", [{ ...line, rewardUsd: 0.0000001 }]],
  [
    "line 1: bytecodeHash and bytecodeBytes must be given together",
    [{ ...line, type: "bytecode", bytecodeBytes: 1 }],
  ],
  ["line 1: bytecodeBytes is not a known field", [{ ...line, bytecodeBytes: 1 }]],
  [
    "line 3 repeats line 1",
    [line, { ...line, rewardUsd: 1 }, { ...line, address: line.address.toLowerCase() }],
  ],
])("%s", (sentence, list) => {
  expect(() => parseObligationList(list)).toThrow(new Error(sentence));
});
