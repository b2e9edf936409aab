import { encodeFunctionData, parseAbiItem, parseEther } from "viem";
import { expect, test } from "vitest";
import { findAddressWords } from "./addressWords.js";

const ONE = "0x6518e64842dc982e20bd9b2b00e97c6237c4df84";
/** Keys of such addresses can be searched for. */
const RARE = "0x00000000000123842dc982e20bd9b2b00e97c623";
const encode = (signature: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never);

test("addresses are found among the words of data, and in the data of calls inside it", () => {
  expect(findAddressWords(encode("move(address a, uint256 b)", [ONE, 1n]))).toEqual([ONE]);
  expect(findAddressWords(encode("move(uint256 b, address a)", [1n, RARE]))).toEqual([RARE]);
  const inner = encode("move(address a, uint256 b)", [ONE, parseEther("100")]);
  expect(findAddressWords(encode("run(bytes a)", [inner]))).toEqual([ONE]);
  expect(findAddressWords(encode("run(bytes[] a, address b)", [[inner], RARE]))).toEqual([RARE, ONE]);
});

test("numbers and texts are no addresses", () => {
  const amounts = [100n, parseEther("100"), parseEther("9000000000"), 2n ** 96n - 1n, 2n ** 256n - 1n];
  for (const amount of amounts)
    expect(findAddressWords(encode("pick(uint256 a, uint256 b)", [amount, amount]))).toEqual([]);
  expect(findAddressWords(encode("write(string a)", ["a text of more than thirty-two bytes"]))).toEqual([]);
  expect(findAddressWords(encode("run(bytes a)", [encode("pick(uint256 a)", [parseEther("7")])]))).toEqual(
    [],
  );
  expect(findAddressWords("0x")).toEqual([]);
  expect(findAddressWords("0x12345678")).toEqual([]);
});
