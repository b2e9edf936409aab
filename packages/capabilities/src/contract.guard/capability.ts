import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

export const contractGuard = defineCapability({
  id: "contract.guard",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 10,
  prices: { hitMicroUsd: 20_000n, partialMicroUsd: 50_000n, missMicroUsd: 100_000n },
  title: "Who can change this contract?",
  summary:
    "Is this address code, what form of code, who can change it, and is it paused: fingerprint plus fresh proxy and pause readings.",
  group: "contract",
  input,
  example: { address: baseAddresses.usdc },
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
  isPublishable: true,
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
