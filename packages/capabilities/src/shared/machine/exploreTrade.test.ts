import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { exploreTrade, NO_SELECTOR } from "./exploreTrade.js";
import { listDoubts } from "./listDoubts.js";

function explore(code: Hex) {
  const slices = exploreTrade(code);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

test("a program in which ways part and meet many times is followed to its end", () => {
  // Each word of calldata decides whether a step is left out: there are 65,536 ways through all.
  const parts = Array.from({ length: 16 }, (_, index) =>
    [index, index * 10 + 9].map((byte) => byte.toString(16).padStart(2, "0")),
  );
  const code = parts.map(([word, after]) => `60${word}356100${after}575f505b`).join("");
  expect(explore(`0x${code}00`)).toMatchObject([{ isComplete: true }]);
});

/** CALLDATALOAD(0) >> 224 == transfer(address,uint256), and what follows stands at 0x11. */
const IN_TRANSFER = "5f3560e01c63a9059cbb146010570000" + "5b";

test.each<[string, string, boolean]>([
  ["that its arguments are there", "60443610601957" + "005b00", false],
  ["that its arguments are there, as a compiler writes it", "6040600436031260" + "1c57005b00", false],
  ["for more than a transfer's arguments", "60843610601957005b00", true],
  ["for a byte more than its arguments", "60453610601957005b00", true],
  ["for the length that a transfer has", "60443614601957005b00", true],
])("a transfer that looks %s", (_, body, looksAtLength) => {
  const found = explore(`0x${IN_TRANSFER}${body}`);
  expect(found.find(({ selector }) => selector === 0xa9059cbb)).toMatchObject({ looksAtLength });
});

test.each<[string, Hex, boolean]>([
  ["that a function is named", "0x600436106008575b00", false],
  ["for the length of a transfer", "0x604536106008575b00", true],
])("a program that looks %s before it chooses a function", (_, code, looksAtLength) => {
  expect(explore(code)).toMatchObject([{ selector: NO_SELECTOR, looksAtLength }]);
});

test.each<[string, string, string[]]>([
  ["in the transfer itself", `${IN_TRANSFER}60453610601957005b00`, ["call_length"]],
  // PUSH1 69 CALLDATASIZE LT PUSH1 0x18 JUMPI, then the transfer as above, and 0x18 is a way of its own.
  ["before it is chosen", "6045361060185763a9059cbb5f3560e01c146018570000" + "005b00", ["call_length"]],
  ["as compilers do", `${IN_TRANSFER}60443610601957005b00`, []],
])("a program that looks at the length of a transfer %s is doubted accordingly", (_, code, doubted) => {
  const now = { time: 1_700_000_000n, number: 1n };
  const { doubts } = listDoubts(explore(`0x${code}`), new Map(), now);
  expect(doubts.map(({ on }) => on).filter((on) => on === "call_length")).toEqual(doubted);
});

test.each<[string, string, boolean]>([
  ["leads into what stands for metadata", "601f60010156", false],
  ["goes on in the program", "601660010156" + "5b00", true],
])("a jump that is computed and %s", (_, body, isComplete) => {
  const metadata = `a164${"69706673"}5822${"5b48".padEnd(68, "0")}002a`;
  const found = explore(`0x${IN_TRANSFER}${body}00${metadata}`);
  expect(found.find(({ selector }) => selector === 0xa9059cbb)).toMatchObject({ isComplete });
});

test("a condition that was met before, as where one of two is enough, decides nothing anew", () => {
  // If the first word of storage is zero, or the first argument is not, both ways end well.
  const found = explore(`0x${IN_TRANSFER}5f541580601c57506004355b602157005b00`);
  const conditions = found.find(({ selector }) => selector === 0xa9059cbb)?.conditions;
  expect(conditions?.map(({ decides }) => decides)).toEqual([false, false]);
});

test("a transfer that looks at what an account has of the chain's currency is doubted", () => {
  const found = explore(`0x${IN_TRANSFER}600435316018575b00`);
  const { doubts } = listDoubts(found, new Map(), { time: 1_700_000_000n, number: 1n });
  expect(doubts.map(({ on }) => on)).toEqual(["native_balance"]);
});

test.each<[string, bigint, string[]]>([
  ["an hour", 3_600n, []],
  ["thirty days", 2_592_000n, ["time"]],
])("what the time and the amount make for %s together is doubted accordingly", (_, seconds, doubted) => {
  const now = { time: 1_700_000_000n, number: 1n };
  const end = (now.time + seconds).toString(16).padStart(8, "0");
  // Until then, TIMESTAMP times the first argument is compared with nothing, and both outcomes end well.
  const found = explore(`0x${IN_TRANSFER}4263${end}1060235742600435026023575b00`);
  const { doubts } = listDoubts(found, new Map(), now);
  expect(doubts.map(({ on }) => on)).toEqual(doubted);
});
