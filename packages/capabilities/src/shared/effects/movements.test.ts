import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { topicOf } from "../events/topicOf.js";
import { listMovements, netMovements } from "./movements.js";

const [ALICE, BOB, TOKEN]: [Hex, Hex, Hex] = [
  "0x00000000000000000000000000000000000a11ce",
  "0x0000000000000000000000000000000000000b0b",
  "0x0000000000000000000000000000000000070ce1",
];
const word = (value: bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`;
const transfer = (from: Hex, to: Hex, amount: bigint) => ({
  address: TOKEN,
  topics: [topicOf("Transfer(address,address,uint256)"), word(from), word(to)],
  data: word(amount),
});
const ZERO: Hex = "0x0000000000000000000000000000000000000000";

test("what goes and comes back is left out, and what is created or destroyed belongs to nobody else", () => {
  const movements = listMovements(
    [{ from: ALICE, to: BOB, value: "5" }],
    [transfer(ALICE, BOB, 7n), transfer(BOB, ALICE, 7n), transfer(ZERO, ALICE, 3n)],
  );
  expect(netMovements(movements)).toEqual([
    { asset: { kind: "native", token: null, id: null }, holder: ALICE, change: -5n },
    { asset: { kind: "native", token: null, id: null }, holder: BOB, change: 5n },
    { asset: { kind: "erc20", token: TOKEN, id: null }, holder: ALICE, change: 3n },
  ]);
});

test("an item is named by its number", () => {
  const topics = [topicOf("Transfer(address,address,uint256)"), word(ALICE), word(BOB), word(9n)];
  const [move] = listMovements([], [{ address: TOKEN, topics, data: "0x" }]);
  expect(move).toEqual({
    asset: { kind: "erc721", token: TOKEN, id: "9" },
    from: ALICE,
    to: BOB,
    amount: 1n,
  });
});
