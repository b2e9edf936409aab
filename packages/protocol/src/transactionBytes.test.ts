import fc from "fast-check";
import { type Hex, keccak256, parseTransaction, type TransactionSerializable, toHex, toRlp } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { decodeReceipt, encodeReceipt } from "./receiptBytes.js";
import { EncodingError } from "./rlp.js";
import { decodeTransaction } from "./transactionBytes.js";

const account = privateKeyToAccount(`0x${"5a".repeat(32)}`);
const hex = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => toHex(bytes) as Hex);
const amount = fc.bigInt({ min: 0n, max: 2n ** 96n });
const common = {
  nonce: fc.nat(),
  gas: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  to: fc.option(hex(20), { nil: null }),
  value: amount,
  data: fc.uint8Array({ maxLength: 40 }).map((bytes) => toHex(bytes) as Hex),
};
const chainId = fc.integer({ min: 1, max: 1_000_000 });
const accessList = fc.array(
  fc.record({ address: hex(20), storageKeys: fc.array(hex(32), { maxLength: 2 }) }),
  {
    maxLength: 2,
  },
);
const fees = { maxFeePerGas: amount.map((fee) => fee + 2n ** 96n), maxPriorityFeePerGas: amount };

/** Each form that viem signs, and this package takes apart again. */
const forms: Record<string, fc.Arbitrary<TransactionSerializable>> = {
  "without a chain": fc.record({ ...common, gasPrice: amount, type: fc.constant("legacy") }) as never,
  "of EIP-155": fc.record({ ...common, gasPrice: amount, chainId, type: fc.constant("legacy") }) as never,
  "of EIP-2930": fc.record({
    ...common,
    gasPrice: amount,
    chainId,
    accessList,
    type: fc.constant("eip2930"),
  }) as never,
  "of EIP-1559": fc.record({
    ...common,
    ...fees,
    chainId,
    accessList,
    type: fc.constant("eip1559"),
  }) as never,
  "of EIP-4844": fc.record({
    ...{ ...common, ...fees, chainId, to: hex(20), type: fc.constant("eip4844") },
    ...{ maxFeePerBlobGas: amount, blobVersionedHashes: fc.constant([`0x01${"22".repeat(31)}`]) },
  }) as never,
  "of EIP-7702": fc.record({
    ...{ ...common, ...fees, chainId, to: hex(20), type: fc.constant("eip7702") },
    authorizationList: fc.constant([
      {
        ...{ address: `0x${"33".repeat(20)}`, chainId: 8453, nonce: 3 },
        ...{ r: toHex(5n), s: toHex(6n), yParity: 1 },
      },
    ]),
  }) as never,
};

describe.each(Object.entries(forms))("a transaction %s", (_, form) => {
  test("is read as viem wrote and signed it", async () => {
    await fc.assert(
      fc.asyncProperty(form, async (transaction) => {
        const bytes = await account.signTransaction(transaction);
        const own = parseTransaction(bytes as never) as typeof transaction;
        const decoded = decodeTransaction(bytes);
        expect(decoded).toMatchObject({
          ...{ hash: keccak256(bytes), from: account.address.toLowerCase() },
          ...{ to: transaction.to?.toLowerCase() ?? null, value: transaction.value, data: transaction.data },
          ...{ nonce: BigInt(transaction.nonce ?? 0), gasLimit: transaction.gas },
          chainId: own.chainId === undefined ? null : BigInt(own.chainId),
        });
      }),
      { numRuns: 8 },
    );
  });
});

test.each<[string, Hex]>([
  ["of an unknown type", "0x05c0"],
  ["that is no list", "0x02820102"],
  ["with a field too few", `0x02${toRlp(Array(11).fill("0x01")).slice(2)}` as Hex],
  ["without type and with a field too many", toRlp(Array(10).fill("0x01")) as Hex],
  ["that is a deposit with a field too few", `0x7e${toRlp(Array(7).fill("0x01")).slice(2)}` as Hex],
])("a transaction %s is refused", (_, bytes) => {
  expect(() => decodeTransaction(bytes)).toThrow(EncodingError);
});

describe("a receipt", () => {
  const bloom = `0x${"00".repeat(256)}`;
  const log = { address: `0x${"44".repeat(20)}`, topics: [`0x${"55".repeat(32)}`], data: "0x1234" };
  const fields = { status: "0x1", cumulativeGasUsed: "0x5208", logsBloom: bloom, logs: [log] };

  test.each([
    ["0x0", 0],
    ["0x2", 2],
    ["0x7e", 0x7e],
  ])("of type %s is read as it was written", (type, number) => {
    for (const [status, success] of [
      ["0x1", true],
      ["0x0", false],
    ] as const)
      expect(decodeReceipt(toHex(encodeReceipt({ ...fields, type, status })))).toEqual({
        ...{ type: number, success, cumulativeGasUsed: 21_000n },
        logs: [log],
      });
  });

  test("of a deposit ends with nonce and version from Canyon on", () => {
    const written = encodeReceipt({
      ...fields,
      type: "0x7e",
      depositNonce: "0x7",
      depositReceiptVersion: "0x1",
    });
    expect(decodeReceipt(toHex(written)).logs).toEqual([log]);
    expect(written).not.toEqual(encodeReceipt({ ...fields, type: "0x7e", depositNonce: "0x7" }));
    // The nonce is no part of the older ones.
    expect(encodeReceipt({ ...fields, type: "0x7e", depositNonce: "0x7" })).toEqual(
      encodeReceipt({ ...fields, type: "0x7e" }),
    );
  });

  const list = (...items: unknown[]) => toRlp(items as never) as Hex;
  test.each<[string, Hex]>([
    ["with a bloom of 255 bytes", list("0x01", "0x01", `0x${"00".repeat(255)}`, [])],
    ["with status 2", list("0x02", "0x01", bloom, [])],
    ["with five fields", list("0x01", "0x01", bloom, [], "0x01")],
    [
      "of six fields that is no deposit",
      `0x02${list("0x01", "0x01", bloom, [], "0x01", "0x01").slice(2)}` as Hex,
    ],
    ["with an address of 19 bytes", list("0x01", "0x01", bloom, [[`0x${"44".repeat(19)}`, [], "0x"]])],
    [
      "with a topic of 31 bytes",
      list("0x01", "0x01", bloom, [[log.address, [`0x${"55".repeat(31)}`], "0x"]]),
    ],
  ])("%s is refused", (_, bytes) => {
    expect(() => decodeReceipt(bytes)).toThrow(EncodingError);
  });
});
