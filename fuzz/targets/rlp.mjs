import assert from "node:assert/strict";
import { bytesToHex, toRlp } from "viem";
import { decodeReceipt, encodeReceipt } from "../../packages/protocol/src/receiptBytes.ts";
import { decodeRlp, EncodingError, rlpNumber } from "../../packages/protocol/src/rlp.ts";
import { logsBloom } from "../../packages/protocol/src/testing/logsBloom.ts";
import { opGoerliReceipts } from "../../packages/protocol/src/testing/opGoerliReceipts.ts";
import { unichainSepoliaBlock } from "../../packages/protocol/src/testing/unichainSepoliaBlock.ts";
import { decodeTransaction, encodeTransaction } from "../../packages/protocol/src/transactionBytes.ts";
import { throwsOnly } from "../throwsOnly.mjs";

/** Encoded transactions, receipts and other lists. */
export const target = {
  maxBytes: 4_096,
  cpuMs: 200,
  form: "bytes",
  seeds: () => [
    ...unichainSepoliaBlock.transactions.map((one) => encodeTransaction(one)),
    ...opGoerliReceipts.receipts.map((one) => encodeReceipt({ ...one, logsBloom: logsBloom(one.logs) })),
    Buffer.from("c0", "hex"),
    Buffer.from("f84b8080808080808080".padEnd(150, "80"), "hex"),
  ],
  run(bytes) {
    const hex = bytesToHex(bytes);
    const item = throwsOnly([EncodingError], () => decodeRlp(hex, "it"));
    if (item !== undefined) {
      // What is decoded and encoded again decodes to the same.
      assert.deepEqual(decodeRlp(toRlp(item), "it"), item);
      throwsOnly([EncodingError], () => rlpNumber(item, "it"));
    }
    const transaction = throwsOnly([EncodingError], () => decodeTransaction(hex));
    if (transaction) {
      assert.ok(transaction.from === null || /^0x[0-9a-f]{40}$/.test(transaction.from));
      assert.ok(transaction.gasLimit >= 0n && transaction.value < 2n ** 256n);
    }
    throwsOnly([EncodingError], () => decodeReceipt(hex));
  },
};
