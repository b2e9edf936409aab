import type { Hex } from "@assay/protocol";
import { decodeFunctionData, pad, parseAbi, serializeErc6492Signature, toHex, zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import {
  AUTHORIZATION_CANCELED,
  AUTHORIZATION_USED,
  asTopic,
  type EventLog,
  encodeTransfer,
  readTransferLogs,
  TRANSFER,
  unwrapSignature,
} from "./transferCall.js";

const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const payer = "0x73B54E0e58fe9f54E9Ac5CB8147e06C87Db655F1";
const payTo = "0x7cFD3008066278D336c5432F5A7b5E87DFFC9aCD";
const nonce = `0x${"AB".repeat(32)}`;
const expected = { token, payer, payTo, amount: 20_000n, nonce };

const use = (
  change: Partial<{ token: string; payer: string; nonce: string; event: Hex }> = {},
): EventLog => ({
  address: change.token ?? token.toLowerCase(),
  topics: [
    change.event ?? AUTHORIZATION_USED,
    asTopic(change.payer ?? payer),
    (change.nonce ?? nonce).toLowerCase(),
  ],
  data: "0x",
});
const transfer = (
  change: Partial<{ token: string; from: string; to: string; amount: bigint }> = {},
): EventLog => ({
  address: change.token ?? token,
  topics: [TRANSFER, asTopic(change.from ?? payer), asTopic(change.to ?? payTo)],
  data: pad(toHex(change.amount ?? 20_000n)),
});
const other = "0x1111111111111111111111111111111111111111";

describe("readTransferLogs", () => {
  const cases: [string, EventLog[], "paid" | "other_use" | "unused"][] = [
    ["the use and the transfer", [use(), transfer()], "paid"],
    [
      "both among those of a batch",
      [use({ payer: other }), transfer({ from: other }), use(), transfer()],
      "paid",
    ],
    [
      "the transfer of another nonce beside it, which pays for that one alone",
      [use(), transfer({ to: other }), use({ nonce: `0x${"cd".repeat(32)}` }), transfer()],
      "other_use",
    ],
    ["a transfer before the use", [transfer(), use(), transfer({ to: other })], "other_use"],
    [
      "the transfer beside events of other contracts",
      [use(), transfer({ token: other }), transfer()],
      "paid",
    ],
    ["nothing at all", [], "unused"],
    ["a transfer without the use", [transfer()], "unused"],
    ["the use of another nonce", [use({ nonce: `0x${"cd".repeat(32)}` }), transfer()], "unused"],
    ["the use by another payer", [use({ payer: other }), transfer()], "unused"],
    ["a cancellation", [use({ event: AUTHORIZATION_CANCELED }), transfer()], "unused"],
    ["the use at another token", [use({ token: other }), transfer()], "unused"],
    ["the use alone", [use()], "other_use"],
    ["a transfer to somebody else", [use(), transfer({ to: other })], "other_use"],
    ["a transfer of another amount", [use(), transfer({ amount: 19_999n })], "other_use"],
    ["a transfer from somebody else", [use(), transfer({ from: other })], "other_use"],
    ["a transfer of another token", [use(), transfer({ token: other })], "other_use"],
  ];
  test.each(cases)("%s", (_name, logs, verdict) => expect(readTransferLogs(logs, expected)).toBe(verdict));

  test("an NFT's transfer, with its number in a fourth topic and no data, is no payment", () => {
    const nft = { ...transfer(), topics: [...transfer().topics, pad("0x4e20")], data: "0x" };
    expect(readTransferLogs([use(), nft], expected)).toBe("other_use");
  });
});

describe("encodeTransfer", () => {
  const abi = parseAbi([
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  ]);
  const authorization = {
    from: payer,
    to: payTo,
    value: "20000",
    validAfter: "1",
    validBefore: "2",
    nonce,
  } as const;
  const argsOf = (signature: string) =>
    decodeFunctionData({ abi, data: encodeTransfer({ authorization, signature }) }).args.slice(6);
  const [r, s]: [Hex, Hex] = [`0x${"12".repeat(32)}`, `0x${"34".repeat(32)}`];

  test.each([0, 1, 27, 28, 29, 31, 255])(
    "a signature of 65 bytes is split, its last byte %i untouched",
    (v) => {
      expect(argsOf(`${r}${s.slice(2)}${v.toString(16).padStart(2, "0")}`)).toEqual([v, r, s]);
    },
  );
  test.each([1, 64, 66, 130])("one of %i bytes goes as it is", (length) => {
    const signature = `0x${"ab".repeat(length)}`;
    expect(argsOf(signature)).toEqual([signature]);
  });
  test("an ERC-6492 wrapper is taken off, unless it names no factory", () => {
    const inner: Hex = `0x${"12".repeat(70)}`;
    const wrap = (address: Hex) => serializeErc6492Signature({ address, data: "0x1234", signature: inner });
    expect(argsOf(wrap(other))).toEqual([inner]);
    expect(argsOf(wrap(zeroAddress))).toEqual([wrap(zeroAddress)]);
    expect(unwrapSignature(wrap(other))).toEqual({ inner, isWrapped: true });
  });
  test("a wrapper that holds nothing readable throws", () => {
    expect(() => argsOf(`0x12${"6492".repeat(16)}`)).toThrow();
  });
});
