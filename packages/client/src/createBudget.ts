import { type Hex, usdFromMicro } from "@assay/protocol";
import { BudgetError } from "./errors.js";

/** What identifies a signed payment on the chain. */
export interface SignedAuthorization {
  readonly asset: Hex;
  readonly payer: Hex;
  readonly authorizationNonce: string;
  readonly validBeforeSeconds: number;
}

/**
 * What a client may spend in total. Anyone who has a signature can settle it, so every signed payment counts as spent. It
 * stops counting only when the chain shows that it has expired unused.
 */
export interface Budget {
  /** Throws BudgetError when this payment would exceed the total. Otherwise it counts, unless signing fails. */
  sign<T extends SignedAuthorization>(
    capabilityId: string,
    priceMicroUsd: bigint,
    sign: () => Promise<T>,
  ): Promise<T>;
  /** This payment bought something: it counts for ever and need not be watched. */
  settle(authorizationNonce: string): void;
  readonly spentMicroUsd: bigint;
  /** Undefined where nothing limits the total. */
  readonly leftMicroUsd: bigint | undefined;
}

export function createBudget(
  maxTotalMicroUsd: bigint | undefined,
  /** Whether the chain shows that this payment was never settled and no longer can be. */
  isDead: (payment: SignedAuthorization) => Promise<boolean> = async () => false,
): Budget {
  const open = new Map<string, { readonly priceMicroUsd: bigint; readonly payment: SignedAuthorization }>();
  let spentMicroUsd = 0n;
  const exceeds = (priceMicroUsd: bigint) =>
    maxTotalMicroUsd !== undefined && spentMicroUsd + priceMicroUsd > maxTotalMicroUsd;

  async function releaseExpired(): Promise<void> {
    for (const [nonce, { priceMicroUsd, payment }] of open) {
      if (payment.validBeforeSeconds * 1000 > Date.now() || !(await isDead(payment))) continue;
      // While the node was asked it may have been settled, or released by a second caller.
      if (open.delete(nonce)) spentMicroUsd -= priceMicroUsd;
    }
  }

  return {
    async sign(capabilityId, priceMicroUsd, sign) {
      if (exceeds(priceMicroUsd)) await releaseExpired();
      if (exceeds(priceMicroUsd)) {
        const leftUsd = usdFromMicro((maxTotalMicroUsd ?? 0n) - spentMicroUsd);
        throw new BudgetError(capabilityId, usdFromMicro(priceMicroUsd), leftUsd);
      }
      // Counted before the wallet signs: of two payments signed at once, the rest must not be enough for one and used by both.
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
    get leftMicroUsd() {
      return maxTotalMicroUsd === undefined ? undefined : maxTotalMicroUsd - spentMicroUsd;
    },
  };
}
