import assert from "node:assert/strict";
import { AssayError } from "../../packages/protocol/src/index.ts";
import { digestOf } from "../../packages/service/src/payments/paymentDigest.ts";
import {
  payerOf,
  readPaymentHeader,
  readPaymentIdentifier,
} from "../../packages/service/src/payments/paymentHeader.ts";
import { throwsOnly } from "../throwsOnly.mjs";

const [ALICE, BOB, TOKEN] = ["a1", "b0", "c0"].map((pair) => `0x${pair.repeat(20)}`);
const WORD = `0x${"5a".repeat(32)}`;
const SIGNATURE = `0x${"ab".repeat(65)}`;
const accepted = (scheme, extra) => ({
  scheme,
  network: "eip155:8453",
  asset: TOKEN,
  amount: "50000",
  payTo: BOB,
  maxTimeoutSeconds: 120,
  extra: { name: "USD Coin", version: "2", ...extra },
});
const authorization = {
  from: ALICE,
  to: BOB,
  value: "50000",
  validAfter: "0",
  validBefore: "1893456000",
  nonce: WORD,
};
const channelConfig = {
  payer: ALICE,
  payerAuthorizer: ALICE,
  receiver: BOB,
  receiverAuthorizer: BOB,
  token: TOKEN,
  withdrawDelay: 900,
  salt: WORD,
};
const voucher = { channelId: WORD, maxClaimableAmount: "70000", signature: SIGNATURE };
const deposit = {
  amount: "100000",
  authorization: {
    erc3009Authorization: { validAfter: "0", validBefore: "1893456000", salt: WORD, signature: SIGNATURE },
  },
};
const inChannel = (payload) => ({
  x402Version: 2,
  accepted: accepted("batch-settlement", { receiverAuthorizer: BOB, withdrawDelay: 900 }),
  payload: { channelConfig, voucher, ...payload },
});

/** The header that payers send. The input is the JSON inside, or, after a byte of 255, the header itself. */
export const target = {
  maxBytes: 12_000,
  cpuMs: 100,
  form: "json",
  seeds: () =>
    [
      {
        x402Version: 2,
        resource: { url: "http://127.0.0.1/" },
        accepted: accepted("exact", { ticket: "a.b" }),
        payload: { signature: SIGNATURE, authorization },
        extensions: { "payment-identifier": { info: { id: "a-name-of-sixteen" } } },
      },
      inChannel({ type: "voucher" }),
      inChannel({ type: "deposit", deposit }),
      inChannel({ type: "refund", amount: "1" }),
    ].map((payment) => Buffer.from(JSON.stringify(payment))),
  run(bytes) {
    const isRaw = bytes[0] === 255;
    const header = isRaw
      ? Buffer.from(bytes.subarray(1)).toString("latin1")
      : Buffer.from(bytes).toString("base64");
    const payment = throwsOnly([AssayError], () => readPaymentHeader(header));
    if (payment === undefined) return;
    assert.match(payerOf(payment), /^0x[0-9a-f]{40}$/);
    throwsOnly([AssayError], () => readPaymentIdentifier(payment));
    const again = readPaymentHeader(Buffer.from(JSON.stringify(payment)).toString("base64"));
    assert.deepEqual(again, payment);
    assert.deepEqual(digestOf(again), digestOf(payment));
  },
};
