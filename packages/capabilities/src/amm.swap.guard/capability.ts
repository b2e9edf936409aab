import { EXAMPLE_WALLET } from "@assay/protocol/exampleClaim";
import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { guardLifetimes } from "../shared/verdict/guardLifetimes.js";
import { input } from "./input.js";

export const ammSwapGuard = defineCapability({
  id: "amm.swap.guard",
  version: "1.0.0",
  status: "active",
  reuse: "private",
  ttlSeconds: guardLifetimes["amm.swap.guard"],
  prices: { hitMicroUsd: 250_000n, partialMicroUsd: 250_000n, missMicroUsd: 250_000n },
  title: "Is this swap fair right now?",
  summary:
    "Whether a prepared router swap executes now, and how its encoded limit compares with the simulated outcome.",
  group: "sign",
  refusesInput: true,
  input,
  // exactInputSingle: 0.01 WETH for at least 20 USDC
  example: {
    from: EXAMPLE_WALLET,
    to: baseAddresses.swapRouter02,
    data: "0x04e45aaf0000000000000000000000004200000000000000000000000000000000000006000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000001f4000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa96045000000000000000000000000000000000000000000000000002386f26fc100000000000000000000000000000000000000000000000000000000000001312d000000000000000000000000000000000000000000000000000000000000000000",
    value: "10000000000000000",
  },
  method: "POST",
  judgesTransaction: true,
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
