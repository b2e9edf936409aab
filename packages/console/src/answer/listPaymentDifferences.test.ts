import type { Receipt } from "@assay/protocol";
import { expect, it } from "vitest";
import { listPaymentDifferences } from "./listPaymentDifferences.js";

const payer = "0xaA00000000000000000000000000000000000001";
const signed = {
  priceUsd: 0.05,
  amount: "50000",
  payTo: "0xBb00000000000000000000000000000000000002",
  payer,
} as const;
const transaction = `0x${"cd".repeat(32)}` as const;
const settlement = { transaction, network: "eip155:8453", payer, amount: "50000" } as const;
/** As in a receipt, which spells addresses in small letters. */
const receiptOf = (changed: object = {}) =>
  ({
    payment: {
      transaction,
      amount: "50000",
      payTo: signed.payTo.toLowerCase(),
      payer: payer.toLowerCase(),
      ...changed,
    },
  }) as unknown as Receipt;

it("names everything in which the signature, the header and the receipt do not agree", () => {
  const reported = { signed, settlement, receipt: receiptOf() };
  expect(listPaymentDifferences(reported)).toEqual([]);
  const other = { transaction: `0x${"ee".repeat(32)}`, amount: "1", payTo: payer, payer: signed.payTo };
  expect(listPaymentDifferences({ ...reported, receipt: receiptOf(other) })).toEqual([
    ...["transaction", "amount", "payee", "payer"],
  ]);
  expect(listPaymentDifferences({ ...reported, settlement: { ...settlement, amount: "1" } })).toEqual([
    "amount",
  ]);
});

it("compares nothing with what is not known", () => {
  expect(listPaymentDifferences({ signed: undefined, settlement: null, receipt: undefined })).toEqual([]);
  expect(listPaymentDifferences({ signed, settlement, receipt: receiptOf({ transaction: null }) })).toEqual(
    [],
  );
});
