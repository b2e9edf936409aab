import { EXAMPLE_WALLET } from "@assay/protocol/exampleClaim";
import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

export const lendingCollateralGuard = defineCapability({
  id: "lending.collateral.guard",
  version: "1.0.0",
  status: "candidate",
  reuse: "private",
  ttlSeconds: 30,
  prices: { hitMicroUsd: 750_000n, partialMicroUsd: 750_000n, missMicroUsd: 750_000n },
  title: "Is this borrow safe?",
  summary: "Health of a borrow in an isolated lending market before it is taken, and after price falls.",
  group: "sign",
  input,
  example: {
    marketId: "0x9103c3b4e834476c9a62ea009ba2c884ee42e94e6e314a26f04d312434191836",
    collateralToken: baseAddresses.cbBtc,
    loanToken: baseAddresses.usdc,
    userAddress: EXAMPLE_WALLET,
    borrowAmountWei: "1000000000",
  },
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
