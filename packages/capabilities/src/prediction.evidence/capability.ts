import { defineCapability } from "../defineCapability.js";
import { pageErrors } from "../shared/page-text/pageErrors.js";
import { input, isMarketAddress } from "./input.js";

export const predictionEvidence = defineCapability({
  id: "prediction.evidence",
  version: "1.0.0",
  status: "candidate",
  reuse: "shared",
  ttlSeconds: 1800,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 20_000n, missMicroUsd: 50_000n },
  title: "Who decides this prediction market?",
  summary: "What is known, unknown and who decides about a prediction market, without asserting an outcome.",
  group: "world",
  input,
  example: {
    question: "Will Base reach 1,000 transactions per second in 2026?",
    market: "https://docs.base.org/",
  },
  longLivedPart: "fingerprint",
  refusesInput: true,
  findContract: ({ market }) => (isMarketAddress(market) ? market : undefined),
  errors: pageErrors,
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
