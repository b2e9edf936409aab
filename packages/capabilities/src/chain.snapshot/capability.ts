import { defineCapability } from "../defineCapability.js";
import { input } from "./input.js";

export const chainSnapshot = defineCapability({
  id: "chain.snapshot",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 4,
  prices: { hitMicroUsd: 2_000n, partialMicroUsd: 5_000n, missMicroUsd: 5_000n },
  title: "What is the chain doing now?",
  summary: "Latest block, its time and base fee, and suggested EIP-1559 fees.",
  group: "world",
  input,
  example: {},
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
