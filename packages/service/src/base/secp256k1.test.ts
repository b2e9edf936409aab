import type { Hex } from "@assay/protocol";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { addressOfKey } from "./secp256k1.js";

test("a key has the address that viem says", () => {
  const keys: Hex[] = [`0x${"0".repeat(63)}1`, ...Array.from({ length: 20 }, generatePrivateKey)];
  for (const key of keys) expect(addressOfKey(key)).toBe(privateKeyToAddress(key));
});

test("a number that is no private key is refused", () => {
  const order: Hex = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
  for (const none of [order, `0x${"0".repeat(64)}`, "0x12"] satisfies Hex[])
    expect(() => addressOfKey(none)).toThrow();
});
