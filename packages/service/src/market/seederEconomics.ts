import { type CapabilityPrices, type SeederEconomics, usdFromMicro } from "@assay/protocol";
import { DIVIDEND_PCT, dividendOf } from "./creditTerms.js";
import { lifetimeCapOf } from "./seederTerms.js";

/** What seeding an input of a capability is worth at today's prices; the dividend is that of a whole reuse. */
export function describeEconomics(prices: CapabilityPrices, isAttested: boolean): SeederEconomics {
  const { hitMicroUsd, missMicroUsd } = prices;
  const capMicroUsd = lifetimeCapOf(missMicroUsd, isAttested);
  return {
    dividendPerSettledReusePct: Number(DIVIDEND_PCT),
    dividendPerSettledReuseUsd: usdFromMicro(dividendOf(hitMicroUsd, capMicroUsd)),
    lifetimeCapUsd: usdFromMicro(capMicroUsd),
    rewardKind: "non_transferable_credits",
  };
}
