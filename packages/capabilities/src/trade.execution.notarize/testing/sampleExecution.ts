import { buildOrderedTrie, encodeReceipt, encodeTransaction, type Hex } from "@assay/protocol";
import { keccak256, toHex, toRlp } from "viem";
import { type TradeExecutionReadings, tradeExecutionReadingsSchema } from "../readings.js";

export interface SampleLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const zeros = (bytes: number): Hex => `0x${"00".repeat(bytes)}`;
const SENDER: Hex = `0x${"5e".repeat(20)}`;
const TARGET: Hex = `0x${"7a".repeat(20)}`;

/** A deposit, of which the sender is known without a signature, in a block made up around it. */
export function sampleExecution(logs: readonly SampleLog[] = [], status: "0x0" | "0x1" = "0x1") {
  const deposit = {
    type: "0x7e",
    sourceHash: zeros(32),
    ...{ from: SENDER, to: TARGET, mint: "0x0", value: "0x3", gas: "0xf4240", input: "0x12345678" },
  };
  const receipt = {
    type: "0x7e",
    ...{ status, cumulativeGasUsed: "0x5208", logsBloom: zeros(256), logs },
    ...{ depositNonce: "0x7", depositReceiptVersion: "0x1" },
  };
  const raw = encodeTransaction(deposit);
  const transactions = buildOrderedTrie([raw]);
  const receipts = buildOrderedTrie([encodeReceipt(receipt)]);
  const header = toRlp([
    ...[zeros(32), zeros(32), zeros(20), zeros(32), transactions.root, receipts.root, zeros(256)],
    ...["0x", toHex(90), toHex(30_000_000), toHex(21_000), toHex(1_700_000_000), "0x", zeros(32), zeros(8)],
  ] as Hex[]);
  const hash = keccak256(header);
  const readings: TradeExecutionReadings = tradeExecutionReadingsSchema.parse({
    block: { number: 100, hash: zeros(32), timestamp: 1_700_000_020 },
    execution: {
      ...{ number: 90, hash, canonicalHash: hash, index: 0 },
      header: { status: "value", value: header },
      transaction: { proof: { status: "value", value: transactions.listNodes(0) }, told: null },
      receipt: { proof: { status: "value", value: receipts.listNodes(0) }, told: null },
      told: {
        ...{ type: 0x7e, from: SENDER, to: TARGET, value: "3" },
        ...{ gasUsed: "21000", effectiveGasPrice: "0", l1Fee: null },
      },
    },
    finality: { safe: { status: "value", value: 95 }, finalized: { status: "value", value: 92 } },
    router: null,
    balances: [],
    guard: null,
  });
  return { input: { txHash: keccak256(raw) }, readings, sender: SENDER };
}
