import { defineCapability } from "../defineCapability.js";
import { input } from "./input.js";

export const tokenLaunchGuard = defineCapability({
  id: "token.launch.guard",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 12,
  prices: { hitMicroUsd: 20_000n, partialMicroUsd: 40_000n, missMicroUsd: 70_000n },
  title: "Can I sell this token again?",
  summary:
    "Whether a freshly launched token can be bought and sold, at what tax, and which owner powers remain.",
  group: "contract",
  input,
  example: { address: "0x940181a94A35A4569E4529A3CDfB74e38FD98631" },
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
