import { defineCapability } from "../defineCapability.js";
import { input } from "./input.js";

export const obligationVerdict = defineCapability({
  id: "obligation.verdict",
  version: "1.0.0",
  status: "candidate",
  reuse: "private",
  ttlSeconds: 1,
  prices: { hitMicroUsd: 1_000n, partialMicroUsd: 1_000n, missMicroUsd: 1_000n },
  title: "Does this obligation hold?",
  summary:
    "The recomputed verdict on a published obligation, with everything needed to reach it independently.",
  group: "record",
  input,
  example: {
    obligationId: "0x583d7eb894232f9dacbc35429d8a7ebfaa374f16b9d8ded86391ad94aa7a480b",
  },
  record: { kind: "obligation", field: "obligationId" },
  takesDecisions: true,
  errors: ["not_found"],
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
