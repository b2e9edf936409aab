import { EXAMPLE_WALLET } from "@assay/protocol";
import { defineCapability } from "../defineCapability.js";
import { CB_BTC, USDC } from "../shared/inputs/exampleAddresses.js";
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
  input,
  example: {
    marketId: "0x9103c3b4e834476c9a62ea009ba2c884ee42e94e6e314a26f04d312434191836",
    collateralToken: CB_BTC,
    loanToken: USDC,
    userAddress: EXAMPLE_WALLET,
    borrowAmountWei: "1000000000",
  },
  loadRule: async () => (await import("./rule.js")).rule,
});
