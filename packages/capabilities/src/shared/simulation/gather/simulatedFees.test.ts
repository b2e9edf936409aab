import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { gasPriceAt, needsLoan, parseFees, priceRead } from "./simulatedFees.js";

const hashOf = (end: string): Hex => `0x${"0".repeat(64 - end.length)}${end}`;
const ALICE: Hex = "0x00000000000000000000000000000000000000a1";
const BOB: Hex = "0x00000000000000000000000000000000000000b1";

test("the price is what a wallet would offer, never zero, and not the same in every block", () => {
  for (const baseFeePerGas of [null, 0n, 1n, 5_000_000n, 10n ** 12n])
    for (const end of ["0000", "ffff"]) {
      const price = gasPriceAt({ baseFeePerGas, hash: hashOf(end) });
      expect(price).toBeGreaterThanOrEqual(2n * (baseFeePerGas ?? 0n));
      expect(price).toBeGreaterThan(0n);
      expect(price).toBeLessThanOrEqual(3n * (baseFeePerGas ?? 0n) + 2_000_000n);
    }
  const at = (end: string) => gasPriceAt({ baseFeePerGas: 10n ** 9n, hash: hashOf(end) });
  expect(at("0001")).not.toBe(at("0002"));
});

test("a fee that is lent leaves the sender with exactly what it holds, once the node has taken it", () => {
  const read = { kind: "call", from: ALICE, to: BOB, data: "0x" } as const;
  expect(priceRead(read, 7n)).toEqual({ ...read, gasPrice: 7n });
  expect(priceRead(read, 7n, { heldWei: 5n })).toEqual({
    ...read,
    gasPrice: 7n,
    gas: 16_777_216,
    overrides: { [ALICE]: { balance: 5n + 7n * 16_777_216n } },
  });
  const code: Hex = "0x00";
  const runner = { ...read, overrides: { [ALICE]: { code } } };
  expect(priceRead(runner, 7n, { heldWei: 5n }).overrides?.[ALICE]).toMatchObject({ code });
  expect(priceRead({ kind: "code", address: BOB } as const, 7n)).toEqual({ kind: "code", address: BOB });
});

test("a loan is for who can pay the value but not the gas", () => {
  const most = 16_777_216n * 3n;
  expect(needsLoan(9n, 10n, 3n)).toBe(false);
  expect(needsLoan(10n, 10n, 3n)).toBe(true);
  expect(needsLoan(10n + most, 10n, 3n)).toBe(false);
});

test("an answer that is not two words gives no fees", () => {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  expect(parseFees({ status: "value", value: `0x${word(3)}${word(4)}` })).toEqual({
    status: "value",
    value: { gasPrice: "3", baseFee: "4" },
  });
  expect(parseFees({ status: "value", value: `0x${word(3)}` })).toEqual({ status: "absent" });
});
