import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi, parseAbi, toHex } from "viem";
import { describe, expect, test } from "vitest";
import { BASE_MULTICALL3 } from "./baseAddresses.js";
import {
  askBesideGas,
  GAS_PRICE_ORACLE,
  isBoundedBySize,
  operatorFeeOf,
  readBesideGas,
  readEtherPrice,
  weiToMicroUsd,
} from "./transactionFees.js";

const bytesOf = (length: number): Hex => `0x${"ab".repeat(length)}`;
const word = (value: bigint) => toHex(value, { size: 32 });

describe("fees beside gas", () => {
  const oracleAbi = parseAbi([
    "function getL1Fee(bytes data) view returns (uint256)",
    "function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)",
    "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
  ]);

  test("are asked of the oracle: the operator's at none and a million gas, and each transaction's, long ones by size", () => {
    const { to, data } = askBesideGas([bytesOf(8_192), bytesOf(8_193)]);
    expect(to).toBe(BASE_MULTICALL3);
    const [calls] = decodeFunctionData({ abi: multicall3Abi, data }).args as unknown as [
      { target: Hex; allowFailure: boolean; callData: Hex }[],
    ];
    for (const { target, allowFailure } of calls) {
      expect(target).toBe(GAS_PRICE_ORACLE);
      expect(allowFailure).toBe(true);
    }
    expect(calls.map(({ callData }) => decodeFunctionData({ abi: oracleAbi, data: callData }))).toEqual([
      { functionName: "getOperatorFee", args: [0n] },
      { functionName: "getOperatorFee", args: [1_000_000n] },
      { functionName: "getL1Fee", args: [bytesOf(8_192)] },
      { functionName: "getL1FeeUpperBound", args: [8_193n] },
    ]);
    expect([8_192, 8_193].map((length) => isBoundedBySize(bytesOf(length)))).toEqual([false, true]);
  });

  const answer = (...parts: [success: boolean, returnData: Hex][]) =>
    encodeFunctionResult({
      abi: multicall3Abi,
      functionName: "aggregate3",
      result: parts.map(([success, returnData]) => ({ success, returnData })),
    });

  test("are read as they were asked", () => {
    const read = readBesideGas(answer([true, word(7n)], [true, word(507n)], [true, word(9n)], [true, "0x"]));
    expect(read).toEqual({ operator: { constant: 7n, perMillionGas: 500n }, l1Data: [9n, null] });
  });

  test.each<[string, [boolean, Hex][]]>([
    [
      "the constant",
      [
        [false, word(7n)],
        [true, word(8n)],
      ],
    ],
    [
      "the rate",
      [
        [true, word(7n)],
        [true, "0x07"],
      ],
    ],
  ])("of the operator are none where %s is not answered", (_, parts) => {
    expect(readBesideGas(answer(...parts))).toEqual({ operator: null, l1Data: [] });
  });

  test("are not read from another answer", () => {
    expect(readBesideGas("0x1234")).toBeUndefined();
    expect(readBesideGas(answer([true, word(7n)]))).toBeUndefined();
  });

  test("of the operator grow with gas, and the constant is always there", () => {
    const fee = { constant: 7n, perMillionGas: 500n };
    expect([0n, 1_999n, 2_000n, 4_000_000n].map((gas) => operatorFeeOf(fee, gas))).toEqual([
      7n,
      7n,
      8n,
      2_007n,
    ]);
  });
});

describe("the price of ether", () => {
  const NOW = 1_800_000_000;
  const round = (price: bigint, updatedAt: bigint, words = 5): Hex =>
    `0x${[5n, price, 0n, updatedAt, 5n]
      .slice(0, words)
      .map((value) => word(value).slice(2))
      .join("")}`;

  test.each<[string, Hex, bigint | undefined]>([
    ["of a fresh round", round(250_000_000_000n, BigInt(NOW)), 250_000_000_000n],
    ["of four words", round(2n, BigInt(NOW), 4), 2n],
    ["of one dollar unit", round(1n, BigInt(NOW)), 1n],
    ["a second before it is too old", round(9n, BigInt(NOW) - 86_399n), 9n],
    ["a day old", round(9n, BigInt(NOW) - 86_400n), undefined],
    ["zero", round(0n, BigInt(NOW)), undefined],
    ["negative", round(2n ** 256n - 1n, BigInt(NOW)), undefined],
    ["of 200 bits", round(2n ** 200n - 1n, BigInt(NOW)), 2n ** 200n - 1n],
    ["of more", round(2n ** 200n, BigInt(NOW)), undefined],
    ["of three words", round(9n, BigInt(NOW), 3), undefined],
    ["of nothing", "0x", undefined],
  ])("%s", (_, answer, expected) => {
    expect(readEtherPrice(answer, NOW)).toBe(expected);
  });

  test("makes wei micro-dollars, rounded up", () => {
    // 2,500 dollars an ether: 0.0025 micro-dollars a gwei.
    const price = 250_000_000_000n;
    expect([0n, 1n, 400_000_000n, 400_000_001n, 10n ** 18n].map((wei) => weiToMicroUsd(wei, price))).toEqual([
      0n,
      1n,
      1n,
      2n,
      2_500_000_000n,
    ]);
  });
});
