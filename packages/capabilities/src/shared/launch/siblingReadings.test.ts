import { getContractAddress } from "viem";
import { expect, test } from "vitest";
import { nameCreated } from "./siblingReadings.js";

test("the address of a creation is as clients derive it, for every length of the nonce", () => {
  const from = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0";
  // Well known: the account's first contracts as many documents give them.
  expect(nameCreated(from, 0)).toBe("0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d");
  expect(nameCreated(from, 1)).toBe("0x343c43a37d37dff08ae8c4a11544c718abb4fcf8");
  for (const nonce of [2, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffff])
    expect(nameCreated(from, nonce)).toBe(getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase());
});
