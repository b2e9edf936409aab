import {
  AssayError,
  type PaymentErrorCode,
  type PaymentPayload,
  type PaymentRequired,
} from "@assay/protocol";
import { findQuote } from "../quotes/quotes.js";
import { buildChallenge, buildQuotedChallenge, type PaidRequest } from "./challenge.js";
import { matchOffer } from "./offer.js";
import { findKnownPayment, reserve } from "./reserve.js";
import {
  conclude,
  outcomeUnknown,
  type PaidOutcome,
  type PaymentsContext,
  type Refuse,
  replay,
  type Sale,
  serveReserved,
} from "./serveReserved.js";

/** Challenges ask for five minutes; a payer with a slow clock or a slow signer gets more. */
export const MAX_VALIDITY_SECONDS = 3600;

/** A request whose input is known to be well formed. */
export interface PricedRequest extends PaidRequest {
  readonly inputHash: string;
}

/** Without a payment: the price, from the named quote if it still stands. */
export async function challengeFor(
  context: PaymentsContext,
  request: PaidRequest,
  quoteId: string | undefined,
): Promise<PaymentRequired> {
  if (quoteId === undefined) return buildChallenge(context, request, "payment_required");
  const quote = await findQuote(context.database, quoteId);
  if (!quote) return buildChallenge(context, request, "quote_not_found");
  if (quote.capabilityId !== request.sold.id || quote.inputHash !== request.inputHash) {
    return buildChallenge(context, request, "quote_mismatch");
  }
  if (quote.invocationId) return buildChallenge(context, request, "quote_used");
  if (quote.expiresAtMs < Date.now()) return buildChallenge(context, request, "quote_expired");
  return buildQuotedChallenge(context, request, quote);
}

/**
 * With a payment: reserve, verify and compute, settle, release. Cheap local checks come first;
 * the answer leaves only after `settled`. Retryable trouble is thrown as an AssayError, and a
 * 402 is given only when it is certain that nothing was charged.
 */
export async function callWithPayment(
  context: PaymentsContext,
  sale: Sale,
  request: PricedRequest,
  payment: PaymentPayload,
): Promise<PaidOutcome> {
  const refuse: Refuse = (error, detail) => {
    const challenge = buildChallenge(context, request, error);
    return {
      status: "challenge",
      challenge: detail ? { ...challenge, error: `${error}: ${detail}` } : challenge,
    };
  };
  if (!context.isSignedByPayer(payment.payload) && !(await hasCode(context, request, payment))) {
    return refuse("signature_invalid");
  }
  const mismatch = checkAuthorization(context, payment);
  const match = mismatch ? { refusal: mismatch } : await matchOffer(context, request, payment);
  if ("refusal" in match) return refuseUnlessKnown(context, request, payment, match.refusal, refuse);

  const stale = findStaleHead(context);
  if (stale) {
    const known = await findKnownPayment(context.database, request, payment);
    if (known?.state === "settled") return replay(context, known, payment);
    throw stale;
  }
  const reservation = await reserve(context, request, payment, match.offer);
  switch (reservation.status) {
    case "refused":
      return refuse(reservation.error);
    case "in_flight":
      throw new AssayError(
        "payment_in_flight",
        "This payment is being served; retry the same payload to get its answer.",
      );
    case "settled":
      return replay(context, reservation.invocation, payment);
    case "unknown":
      return conclude(context, reservation.invocation, payment, refuse);
    case "reserved":
      context.failpoints.reach("after_reserve");
      return serveReserved(context, sale, payment, reservation.invocation, refuse);
  }
}

/**
 * An offer we no longer recognise (another signing key, another PAY_TO) must not turn a payment
 * we took into a 402: what is known of this very payment comes first.
 */
async function refuseUnlessKnown(
  context: PaymentsContext,
  request: PricedRequest,
  payment: PaymentPayload,
  refusal: PaymentErrorCode,
  refuse: Refuse,
): Promise<PaidOutcome> {
  const known = await findKnownPayment(context.database, request, payment);
  if (known?.state === "settled") return replay(context, known, payment);
  if (known && known.state !== "void" && known.state !== "failed") throw outcomeUnknown();
  return refuse(refusal);
}

/** The signed authorization must say exactly what the accepted requirements ask, for long enough. */
function checkAuthorization(
  { settings }: PaymentsContext,
  payment: PaymentPayload,
): PaymentErrorCode | undefined {
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

/** No new call starts while the newest block known is too old to judge by; stored answers are still served. */
function findStaleHead({ chain }: PaymentsContext): unknown {
  try {
    chain.getFreshHead();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Only an account with code can have signed by other means than its own key. */
async function hasCode(
  context: PaymentsContext,
  request: PricedRequest,
  payment: PaymentPayload,
): Promise<boolean> {
  await context.limits.consume("walletCheck", request.clientAddress);
  const { header } = context.chain.getFreshHead();
  const [code] = await context.chain.readAt(header, [
    { kind: "code", address: payment.payload.authorization.from },
  ]);
  if (code.status === "unanswered")
    throw new AssayError("chain_unavailable", "The payer's account could not be read.");
  return code.status === "value";
}
