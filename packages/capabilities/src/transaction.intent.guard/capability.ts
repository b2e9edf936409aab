import { EXAMPLE_WALLET } from "@assay/protocol/exampleClaim";
import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { guardLifetimes } from "../shared/verdict/guardLifetimes.js";
import { input } from "./input.js";

export const transactionIntentGuard = defineCapability({
  id: "transaction.intent.guard",
  version: "1.0.0",
  status: "active",
  reuse: "private",
  ttlSeconds: guardLifetimes["transaction.intent.guard"],
  prices: { hitMicroUsd: 250_000n, partialMicroUsd: 250_000n, missMicroUsd: 250_000n },
  title: "What does this transaction do?",
  summary:
    "What an unsigned transaction would do: intent, simulation, balance and allowance changes, dangerous approvals and upgrades.",
  group: "sign",
  input,
  // approve(SwapRouter02, 25 USDC)
  example: {
    from: EXAMPLE_WALLET,
    to: baseAddresses.usdc,
    data: "0x095ea7b30000000000000000000000002626664c2603336e57b271c5c0b26f421741e48100000000000000000000000000000000000000000000000000000000017d7840",
    value: "0",
  },
  method: "POST",
  judgesTransaction: true,
  watchedBy: "contract.change",
  /** The former name, kept as a GET route and as a name for quotes. */
  deprecatedName: { name: "tx.preflight", method: "GET", since: "2026-11-01T00:00:00Z" },
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("../shared/news/writeTransactionNews.js")).writeTransactionNews,
});
