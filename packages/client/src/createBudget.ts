import { usdFromMicro } from "@assay/protocol";
import { BudgetError } from "./errors.js";

/** What a client may spend in all. What is signed counts as spent until it is certain that it was not charged. */
export interface Budget {
  /** Throws BudgetError when this payment would be too much; else it counts, unless it is not signed after all. */
  sign<T extends { readonly authorizationNonce: string }>(
    capabilityId: string,
    priceMicroUsd: bigint,
    sign: () => Promise<T>,
  ): Promise<T>;
  /** This payment was not charged, and will not be. */
  giveBack(authorizationNonce: string): void;
  readonly spentMicroUsd: bigint;
}

export function createBudget(maxTotalMicroUsd: bigint | undefined): Budget {
  const signed = new Map<string, bigint>();
  let spentMicroUsd = 0n;
  return {
    async sign(capabilityId, priceMicroUsd, sign) {
      if (maxTotalMicroUsd !== undefined && spentMicroUsd + priceMicroUsd > maxTotalMicroUsd) {
        const leftUsd = usdFromMicro(maxTotalMicroUsd - spentMicroUsd);
        throw new BudgetError(capabilityId, usdFromMicro(priceMicroUsd), leftUsd);
      }
      // Before the wallet is asked: two payments that are signed at once must not both fit into what is left for one.
      spentMicroUsd += priceMicroUsd;
      try {
        const payment = await sign();
        signed.set(payment.authorizationNonce, priceMicroUsd);
        return payment;
      } catch (error) {
        spentMicroUsd -= priceMicroUsd;
        throw error;
      }
    },
    giveBack(authorizationNonce) {
      spentMicroUsd -= signed.get(authorizationNonce) ?? 0n;
      signed.delete(authorizationNonce);
    },
    get spentMicroUsd() {
      return spentMicroUsd;
    },
  };
}
