import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

export const contractChange = defineCapability({
  id: "contract.change",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 10,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 20_000n, missMicroUsd: 20_000n },
  title: "Has this contract changed?",
  summary:
    "What changed at an address since the last observation: code, what it runs, facets, admin, beacon, pause.",
  group: "contract",
  input,
  example: { address: baseAddresses.usdc },
  longLivedPart: "fingerprint",
  leaves: "observation",
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
