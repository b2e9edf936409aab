import { defineCapability } from "../defineCapability.js";
import { input } from "./input.js";

export const tradeExecutionNotarize = defineCapability({
  id: "trade.execution.notarize",
  version: "1.0.0",
  status: "candidate",
  reuse: "shared",
  ttlSeconds: 604_800,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 10_000n, missMicroUsd: 50_000n },
  title: "What did this transaction really do?",
  summary: "What a mined transaction did, proven from its receipt to the block hash.",
  group: "record",
  input,
  example: {
    txHash: "0xcaeeddf8b19187af0642f874ef4904ff016a170acf56bb78406bcc8e2b8d0b6e",
  },
  errors: [
    "transaction_not_mined",
    "execution_too_large",
    "not_found",
    "foreign_invocation",
    "invocation_not_settled",
  ],
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
