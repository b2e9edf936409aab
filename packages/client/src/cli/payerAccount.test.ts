import type { Hex } from "@assay/protocol";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { openPayerAccount } from "./payerAccount.js";

/** The first and the last key, one whose digits begin with zeros, and some of no kind. */
const keys: readonly Hex[] = [
  `0x${"1".padStart(64, "0")}`,
  "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
  `0x${"abc".padStart(64, "0")}`,
  ...Array.from({ length: 100 }, generatePrivateKey),
];

it("has the address of its key, with its checksum", () => {
  expect(keys.map((key) => openPayerAccount(key).address)).toEqual(
    keys.map((key) => privateKeyToAccount(key).address),
  );
});

it("signs as its key", async () => {
  const [key = "0x"] = keys;
  const message = {
    domain: { name: "USD Coin", chainId: 8453 },
    types: { Note: [{ name: "text", type: "string" }] },
    primaryType: "Note",
    message: { text: "signed twice alike" },
  } as const;
  const account = openPayerAccount(key);
  const expected = await privateKeyToAccount(key).signTypedData(message);
  const given = message as unknown as Parameters<typeof account.signTypedData>[0];
  expect(await Promise.all([account.signTypedData(given), account.signTypedData(given)])).toEqual([
    expected,
    expected,
  ]);
});
