import { defineCapability } from "../defineCapability.js";
import { pageErrors } from "../shared/page-text/pageErrors.js";
import { input } from "./input.js";

export const webCompile = defineCapability({
  id: "web.compile",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 3600,
  prices: { hitMicroUsd: 20_000n, partialMicroUsd: 30_000n, missMicroUsd: 30_000n },
  title: "What does this page say?",
  summary:
    "A public page or PDF as bounded Markdown with citations that can be checked against its bytes; with `claim`, whether its wording says so.",
  group: "world",
  input,
  example: { url: "https://docs.base.org/", claim: "Base is an Ethereum layer 2" },
  asksForWallet: true,
  isAboutChain: false,
  refusesInput: true,
  errors: pageErrors,
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
