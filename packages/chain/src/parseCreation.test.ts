import { absent, type Hex, valueReading } from "@assay/protocol";
import { getContractAddress } from "viem";
import { expect, test } from "vitest";
import { parseCreation } from "./parseCreation.js";

const CREATOR: Hex = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const HASH: Hex = `0x${"ab".repeat(32)}`;
const CONTRACT = getContractAddress({ from: CREATOR, nonce: 7n }).toLowerCase() as Hex;
const sent = { hash: HASH, from: CREATOR, to: null, nonce: "0x7", input: "0x6001" };

test.each<[string, unknown, unknown]>([
  ["created the contract", sent, valueReading({ creator: CREATOR, code: "0x6001" })],
  ["called another contract", { ...sent, to: CONTRACT }, absent],
  ["created another contract", { ...sent, nonce: "0x8" }, absent],
  ["is not known", null, absent],
  ["is another one", { ...sent, hash: `0x${"cd".repeat(32)}` }, undefined],
  ["has no input", { ...sent, input: undefined }, undefined],
])("a transaction that %s", (_, result, expected) => {
  expect(parseCreation(result, CONTRACT, HASH)).toEqual(expected);
});
