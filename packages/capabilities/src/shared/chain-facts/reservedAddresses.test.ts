import { expect, test } from "vitest";
import { isReservedAddress } from "./reservedAddresses.js";

const at = (digits: string) => `0x${digits.padStart(40, "0")}`;

test("precompiled contracts and the zero address are reserved", () => {
  for (let number = 0; number <= 0x11; number += 1)
    expect(isReservedAddress(at(number.toString(16)))).toBe(true);
  for (const digits of ["100", "B20f000000000000000000000000000000000000"])
    expect(isReservedAddress(at(digits))).toBe(true);
  expect(isReservedAddress("0x8453000000000000000000000000000000000002")).toBe(true);
});

test("other addresses are not, predeployed contracts among them", () => {
  for (const digits of ["101", "dead", "4200000000000000000000000000000000000006", "11".repeat(20)])
    expect(isReservedAddress(at(digits))).toBe(false);
});
