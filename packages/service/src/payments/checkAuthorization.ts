import type { PaymentErrorCode } from "@assay/protocol";
import type { PaidCall } from "./paidCall.js";

/** Challenges ask for five minutes; a payer with a slow clock or a slow signer gets more. */
export const MAX_VALIDITY_SECONDS = 3600;
/** The authorization must outlive the work and the settlement by this much. */
const MIN_REMAINING_SECONDS = 10n;

/** The signed authorization must say exactly what the accepted requirements ask, and not for too long. */
export function checkAuthorization({ context, payment }: PaidCall): PaymentErrorCode | undefined {
  const { settings } = context;
  const { authorization } = payment.payload;
  const sameMoney =
    authorization.to.toLowerCase() === settings.payTo.toLowerCase() &&
    payment.accepted.asset.toLowerCase() === settings.stablecoin.address.toLowerCase() &&
    authorization.value === payment.accepted.amount;
  if (!sameMoney) return "authorization_mismatch";
  // Settled payments are replayed whatever their age, so only too long a validity is refused here: an
  // authorization that stays usable long after we asked could leave its outcome open as long.
  const latest = BigInt(Math.floor(Date.now() / 1000) + MAX_VALIDITY_SECONDS);
  return BigInt(authorization.validBefore) > latest ? "authorization_mismatch" : undefined;
}

/** Checked before the work and again before settling: a deadline may pass in between. */
export function checkDeadline({ payment }: PaidCall): PaymentErrorCode | undefined {
  const { validAfter, validBefore } = payment.payload.authorization;
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const covers =
    BigInt(validAfter) <= nowSeconds && BigInt(validBefore) >= nowSeconds + MIN_REMAINING_SECONDS;
  return covers ? undefined : "authorization_expired";
}
