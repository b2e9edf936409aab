import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

export const tokenMetadata = defineCapability({
  id: "token.metadata",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 10,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 20_000n, missMicroUsd: 30_000n },
  title: "What does this token call itself?",
  summary: "Name, symbol, decimals and total supply as the token reports them, with look-alike warnings.",
  group: "contract",
  input,
  example: { address: baseAddresses.usdc },
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
