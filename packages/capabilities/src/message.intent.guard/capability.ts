import { EXAMPLE_WALLET } from "@assay/protocol/exampleClaim";
import { defineCapability } from "../defineCapability.js";
import { forms, input } from "./input.js";

export const messageIntentGuard = defineCapability({
  id: "message.intent.guard",
  version: "1.0.0",
  status: "candidate",
  reuse: "private",
  ttlSeconds: 30,
  prices: { hitMicroUsd: 50_000n, partialMicroUsd: 50_000n, missMicroUsd: 50_000n },
  title: "What does this signature give away?",
  summary:
    "What a message lets whom do once it is signed, until when: permits, orders, payments, delegations, user operations, batches, sign-ins and blind hashes.",
  group: "sign",
  input,
  alternatives: forms,
  example: { signer: EXAMPLE_WALLET, personalMessage: "I would like to log in to the market." },
  method: "POST",
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
