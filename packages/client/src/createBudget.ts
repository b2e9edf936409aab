import { type Hex, usdFromMicro } from "@assay/protocol";
import { BudgetError } from "./errors.js";

/** What the chain knows a signed payment by. */
export interface SignedAuthorization {
  readonly asset: Hex;
  readonly payer: Hex;
  readonly authorizationNonce: string;
  readonly validBeforeSeconds: number;
}

/**
 * What a client may spend in all. Whoever holds a signature can have it paid, whatever they say of it; so what is signed
 * counts as spent, and is given back only when the chain shows that it was not used and has run out.
 */
export interface Budget {
  /** Throws BudgetError when this payment would be too much; else it counts, unless it is not signed after all. */
  sign<T extends SignedAuthorization>(
    capabilityId: string,
    priceMicroUsd: bigint,
    sign: () => Promise<T>,
  ): Promise<T>;
  /** This payment bought something: it counts for good and need not be remembered. */
  settle(authorizationNonce: string): void;
  readonly spentMicroUsd: bigint;
}

export function createBudget(
  maxTotalMicroUsd: bigint | undefined,
  /** Whether the chain shows that this payment was never made and no longer can be. */
  isDead: (payment: SignedAuthorization) => Promise<boolean> = async () => false,
): Budget {
  const open = new Map<string, { readonly priceMicroUsd: bigint; readonly payment: SignedAuthorization }>();
  let spentMicroUsd = 0n;
  const exceeds = (priceMicroUsd: bigint) =>
    maxTotalMicroUsd !== undefined && spentMicroUsd + priceMicroUsd > maxTotalMicroUsd;

  async function takeBack(): Promise<void> {
    for (const [nonce, { priceMicroUsd, payment }] of open) {
      if (payment.validBeforeSeconds * 1000 > Date.now() || !(await isDead(payment))) continue;
      // Meanwhile it may have been settled, or taken back by another who asked at the same time.
      if (open.delete(nonce)) spentMicroUsd -= priceMicroUsd;
    }
  }

  return {
    async sign(capabilityId, priceMicroUsd, sign) {
      if (exceeds(priceMicroUsd)) await takeBack();
      if (exceeds(priceMicroUsd)) {
        const leftUsd = usdFromMicro((maxTotalMicroUsd ?? 0n) - spentMicroUsd);
        throw new BudgetError(capabilityId, usdFromMicro(priceMicroUsd), leftUsd);
      }
      // Before the wallet is asked: two payments that are signed at once must not both fit into what is left for one.
      spentMicroUsd += priceMicroUsd;
      try {
        const payment = await sign();
        if (maxTotalMicroUsd !== undefined) open.set(payment.authorizationNonce, { priceMicroUsd, payment });
        return payment;
      } catch (error) {
        spentMicroUsd -= priceMicroUsd;
        throw error;
      }
    },
    settle: (authorizationNonce) => void open.delete(authorizationNonce),
    get spentMicroUsd() {
      return spentMicroUsd;
    },
  };
}
