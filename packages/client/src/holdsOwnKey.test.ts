import { keccak256 } from "@assay/protocol";
import { privateKeyToAddress } from "viem/accounts";
import { expect, it } from "vitest";
import { holdsOwnKey } from "./holdsOwnKey.js";

const key = keccak256("0x2a");
const digits = key.slice(2);
const address = privateKeyToAddress(key);

it.each<[string, object, boolean]>([
  ["as the hash of a transaction", { txHash: key }, true],
  ["without 0x, in capital letters, inside of a text", { message: `my key: ${digits.toUpperCase()}.` }, true],
  ["deep in a document", { typedData: { message: { salt: [key], value: 5n } } }, true],
  ["another hash", { txHash: keccak256(key) }, false],
  ["what is no key", { txHash: `0x${"f".repeat(64)}`, other: `0x${"0".repeat(64)}` }, false],
  ["part of longer bytes", { data: `0x12345678${digits}` }, false],
  ["no hash at all", { address }, false],
])("finds the payer's own key: %s", async (_name, input, isFound) => {
  expect(await holdsOwnKey(input, address)).toBe(isFound);
});
