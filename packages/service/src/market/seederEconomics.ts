import { type CapabilityPrices, type SeederEconomics, usdFromMicro } from "@assay/protocol";
import { DIVIDEND_PCT, lifetimeCapOf } from "./seederTerms.js";

/** What seeding an input of a capability is worth at today's prices; the dividend is that of a whole reuse. */
export function describeEconomics(prices: CapabilityPrices, isAttested: boolean): SeederEconomics {
  return {
    dividendPerSettledReusePct: DIVIDEND_PCT,
    dividendPerSettledReuseUsd: usdFromMicro((prices.hitMicroUsd * BigInt(DIVIDEND_PCT)) / 100n),
    lifetimeCapUsd: usdFromMicro(lifetimeCapOf(prices.missMicroUsd, isAttested)),
    rewardKind: "non_transferable_credits",
  };
}
