import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

export const rwaMarketGuard = defineCapability({
  id: "rwa.market.guard",
  version: "1.0.0",
  status: "candidate",
  reuse: "shared",
  ttlSeconds: 60,
  prices: { hitMicroUsd: 150_000n, partialMicroUsd: 150_000n, missMicroUsd: 500_000n },
  title: "Who can freeze or seize this asset?",
  summary:
    "Transfer restrictions, freeze and seizure powers, issuer and price-feed health of a tokenized asset.",
  group: "contract",
  input,
  example: { address: baseAddresses.cbBtc, symbol: "cbBTC" },
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
