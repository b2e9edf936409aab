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

const interestEvent = (name: "Mint" | "Burn", of: readonly [Hex, Hex], words: readonly bigint[]) => ({
  address: TOKEN,
  topics: [topicOf(`${name}(address,address,uint256,uint256,uint256)`), ...of.map(word)],
  data: `0x${words.map((value) => word(value).slice(2)).join("")}` as Hex,
});
const RAY = 10n ** 27n;

test("interest that a balance had before is no movement", () => {
  // The amounts are the events' own: a deposit of 100, a withdrawal of 100, one of 3, and a transfer of 50, each with 8 of interest.
  const asset = { kind: "erc20", token: TOKEN, id: null };
  const net = (logs: Parameters<typeof listMovements>[1]) => netMovements(listMovements([], logs));
  expect(net([transfer(ZERO, ALICE, 108n), interestEvent("Mint", [BOB, ALICE], [108n, 8n, RAY])])).toEqual([
    { asset, holder: ALICE, change: 100n },
  ]);
  expect(net([transfer(ALICE, ZERO, 92n), interestEvent("Burn", [ALICE, BOB], [92n, 8n, RAY])])).toEqual([
    { asset, holder: ALICE, change: -100n },
  ]);
  expect(net([transfer(ZERO, ALICE, 5n), interestEvent("Mint", [ALICE, ALICE], [5n, 8n, RAY])])).toEqual([
    { asset, holder: ALICE, change: -3n },
  ]);
  expect(
    net([
      transfer(ZERO, ALICE, 8n),
      interestEvent("Mint", [ALICE, ALICE], [8n, 8n, RAY]),
      transfer(ALICE, BOB, 50n),
    ]),
  ).toEqual([
    { asset, holder: ALICE, change: -50n },
    { asset, holder: BOB, change: 50n },
  ]);
});

test("an event about another holder, amount or token states no interest", () => {
  const change = (next: ReturnType<typeof interestEvent>) =>
    netMovements(listMovements([], [transfer(ZERO, ALICE, 108n), next]))[0]?.change;
  expect(change(interestEvent("Mint", [ALICE, BOB], [108n, 8n, RAY]))).toBe(108n);
  expect(change(interestEvent("Mint", [BOB, ALICE], [109n, 8n, RAY]))).toBe(108n);
  expect(change(interestEvent("Burn", [ALICE, BOB], [108n, 8n, RAY]))).toBe(108n);
  expect(change({ ...interestEvent("Mint", [BOB, ALICE], [108n, 8n, RAY]), address: BOB })).toBe(108n);
});
