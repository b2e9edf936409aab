import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

export const contractInterface = defineCapability({
  id: "contract.interface",
  version: "1.1.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 604_800,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 20_000n, missMicroUsd: 20_000n },
  title: "Which standards does this contract follow?",
  summary: "Which token standards and proxy controls a contract appears to implement.",
  group: "contract",
  input,
  example: { address: baseAddresses.usdc },
  watchedBy: "contract.change",
  longLivedPart: "interfaceScan",
  leaves: "scans",
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
