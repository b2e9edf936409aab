import { defineCapability } from "../defineCapability.js";
import { CB_BTC } from "../shared/inputs/exampleAddresses.js";
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
  input,
  example: { address: CB_BTC, symbol: "cbBTC" },
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
  loadRule: async () => (await import("./rule.js")).rule,
});
