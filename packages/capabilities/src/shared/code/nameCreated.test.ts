import { getContractAddress, type Hex, keccak256 } from "viem";
import { expect, test } from "vitest";
import { nameCreated, nameCreated2 } from "./nameCreated.js";

test("the address of a creation is as clients derive it, for every length of the nonce", () => {
  const from = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0";
  // Well known: the account's first contracts as many documents give them.
  expect(nameCreated(from, 0)).toBe("0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d");
  expect(nameCreated(from, 1)).toBe("0x343c43a37d37dff08ae8c4a11544c718abb4fcf8");
  for (const nonce of [2, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffff])
    expect(nameCreated(from, nonce)).toBe(getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase());
});

test("an address that was chosen with a salt is as clients derive it", () => {
  const from = "0x6AC7EA33f8831ea9dcc53393aaa88b25a785dbf0".toLowerCase() as Hex;
  // The first example of EIP-1014.
  expect(nameCreated2(`0x${"00".repeat(20)}`, `0x${"00".repeat(32)}`, keccak256("0x00"))).toBe(
    "0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38",
  );
  for (const bytecode of ["0x", "0x6001600055", `0x${"5b".repeat(300)}`] as const) {
    const salt = keccak256(bytecode);
    const expected = getContractAddress({ opcode: "CREATE2", from, salt, bytecode });
    expect(nameCreated2(from, salt, keccak256(bytecode))).toBe(expected.toLowerCase());
  }
});
