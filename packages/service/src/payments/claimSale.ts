import {
  CLAIM_PRICE_MICRO_USD,
  type ClaimOpened,
  type ClaimRequest,
  hashText,
  usdFromMicro,
} from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import { type ClaimEffects, describeNewClaim } from "../claims/claimRecords.js";
import { verifyOpenable, writeClaim } from "../claims/openClaim.js";
import type { CallTerms } from "../quotes/callTerms.js";
import type { Sale } from "./paidCall.js";

/** One price for everybody, at any time; none while the head is too old to check a claim against. */
export function claimTerms({ chain }: BaseContext): CallTerms {
  chain.getFreshHead();
  return { cacheStatus: "miss", listPriceMicroUsd: CLAIM_PRICE_MICRO_USD, endsAtMs: undefined };
}

/** The opening of a claim: checked once more, now that it is paid for, and recorded when the payment settles. */
export function claimSale(request: ClaimRequest): Sale {
  return {
    async compute({ context, invocation }) {
      const openable = await verifyOpenable(context.chain, request);
      return async () => {
        const { invocationId, priceMicroUsd } = invocation;
        const { publicUrl } = context.settings;
        const claim = writeClaim(request, openable, invocationId);
        const effects: ClaimEffects = { claim };
        const opened: ClaimOpened = {
          ...describeNewClaim(publicUrl, claim, context.settings),
          pricing: { pricePaidUsd: usdFromMicro(priceMicroUsd) },
          paymentReceiptUrl: `${publicUrl}/api/v1/receipts/${invocationId}`,
        };
        const body = JSON.stringify(opened);
        return {
          actualStatus: "miss",
          resultHash: hashText(body),
          artifactId: null,
          body,
          sealedBody: null,
          packedBody: null,
          sealedOutcome: null,
          effects,
        };
      };
    },
  };
}
