import {
  AssayError,
  type CapabilityInput,
  type PaymentErrorCode,
  type PaymentPayload,
  type PaymentRequired,
} from "@assay/protocol";
import { type Answer, answerCapability } from "../capabilities/answer.js";
import type { Capability } from "../capabilities/types.js";
import { findQuote } from "../quotes/quotes.js";
import { isSignedByPayer } from "./authorizationSignature.js";
import { buildCapabilityResult, type ResponseContext } from "./capabilityResponse.js";
import { buildChallenge, buildQuotedChallenge, type PaidRequest } from "./challenge.js";
import type { Facilitator, VerifyOutcome } from "./facilitator.js";
import {
  findSettledResponse,
  finishFailed,
  finishSettled,
  finishVoid,
  type SettledResponse,
  type SettlementEffects,
} from "./finish.js";
import {
  type ComputedAnswer,
  type Invocation,
  markComputed,
  markSettling,
  markUnknown,
} from "./invocations.js";
import { matchOffer } from "./offer.js";
import { isAuthorizationUsed, reconcileInvocation } from "./reconcile.js";
import { reserve } from "./reserve.js";

export interface PaymentsContext extends ResponseContext {
  readonly facilitator: Facilitator;
}

/** A request whose input is known to be valid. */
export interface PricedRequest extends PaidRequest {
  readonly input: CapabilityInput;
  readonly inputHash: string;
}

export type PaidOutcome =
  | { readonly status: "challenge"; readonly challenge: PaymentRequired }
  | { readonly status: "answer"; readonly response: SettledResponse };

/** A 402 with a fresh challenge. */
type Refuse = (error: PaymentErrorCode, detail?: string) => PaidOutcome;

/** The authorization must outlive the work and the settlement by this much. */
const MIN_REMAINING_SECONDS = 10n;

/** Without a payment: the price, from the named quote if it still stands. */
export async function challengeFor(
  context: PaymentsContext,
  request: PaidRequest,
  quoteId: string | undefined,
): Promise<PaymentRequired> {
  if (quoteId === undefined) return buildChallenge(context, request, "payment_required");
  const quote = await findQuote(context.database, quoteId);
  if (!quote) return buildChallenge(context, request, "quote_not_found");
  if (quote.capabilityId !== request.spec.id || quote.inputHash !== request.inputHash) {
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
  capability: Capability,
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
  const mismatch = checkAuthorization(context, payment);
  if (mismatch) return refuse(mismatch);
  if (!isSignedByPayer(context.settings, payment.payload) && !(await hasCode(context, request, payment)))
    return refuse("signature_invalid");
  const match = await matchOffer(context, request, payment);
  if ("refusal" in match) return refuse(match.refusal);

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
      return replay(context, reservation.invocation);
    case "unknown": {
      const fate = await reconcileInvocation(context, reservation.invocation);
      if (fate.status === "paid") return replay(context, reservation.invocation);
      if (fate.status === "dead") return refuse("payment_failed", fate.reason);
      throw outcomeUnknown();
    }
    case "reserved":
      return serve(context, capability, request, payment, reservation.invocation, refuse);
  }
}

function outcomeUnknown(): AssayError {
  return new AssayError(
    "payment_outcome_unknown",
    "The payment was sent to settlement and its outcome is not known yet. Retry the same payload; do not sign a new one.",
    { retryAfterSeconds: 3 },
  );
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
  // Settled payments are replayed whatever their age, so only the form is checked here; see `checkWindow`.
  return BigInt(authorization.validBefore) >= 2n ** 63n ? "authorization_mismatch" : undefined;
}

function checkWindow(payment: PaymentPayload): PaymentErrorCode | undefined {
  const { validAfter, validBefore } = payment.payload.authorization;
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const covers =
    BigInt(validAfter) <= nowSeconds && BigInt(validBefore) >= nowSeconds + MIN_REMAINING_SECONDS;
  return covers ? undefined : "authorization_expired";
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

async function replay(context: PaymentsContext, invocation: Invocation): Promise<PaidOutcome> {
  const response = await findSettledResponse(context.database, invocation.invocationId);
  if (!response) throw new Error(`settled invocation ${invocation.invocationId} has no stored response`);
  return { status: "answer", response };
}

/** The reservation is ours: verify while computing, then settle, then release. */
async function serve(
  context: PaymentsContext,
  capability: Capability,
  request: PricedRequest,
  payment: PaymentPayload,
  invocation: Invocation,
  refuse: Refuse,
): Promise<PaidOutcome> {
  const expired = checkWindow(payment);
  if (expired) {
    await finishVoid(context, invocation, expired);
    return refuse(expired);
  }
  const [verified, answered] = await Promise.allSettled([
    context.facilitator.verify(payment, payment.accepted),
    answerCapability(context, capability, request.input),
  ]);
  const verdict: VerifyOutcome =
    verified.status === "fulfilled"
      ? verified.value
      : { status: "unavailable", reason: String(verified.reason) };
  if (verdict.status === "refused" && !verdict.authorizationUsed) {
    await finishVoid(context, invocation, verdict.reason);
    return refuse("payment_refused", verdict.reason);
  }
  if (verdict.status === "unavailable") {
    await finishVoid(context, invocation, `verify: ${verdict.reason}`);
    throw new AssayError(
      "facilitator_unavailable",
      "The payment could not be verified now. Nothing was charged; retry the same payload.",
    );
  }
  if (answered.status === "rejected") {
    await finishVoid(context, invocation, "the answer could not be computed");
    throw answered.reason;
  }
  const computed = await toComputedAnswer(context, capability, request.input, invocation, answered.value);
  if (!(await markComputed(context.database, invocation, computed))) throw outcomeOfLostLease();
  // The token already counts this nonce as used: somebody else may have delivered the payment for us.
  if (verdict.status === "refused") return concludeFromChain(context, invocation, refuse, verdict.reason);
  return settle(context, payment, invocation, refuse);
}

function outcomeOfLostLease(): AssayError {
  return new AssayError(
    "payment_in_flight",
    "Another process took this payment over; retry the same payload to get its answer.",
  );
}

async function toComputedAnswer(
  context: PaymentsContext,
  capability: Capability,
  input: CapabilityInput,
  invocation: Invocation,
  answer: Answer,
): Promise<ComputedAnswer> {
  const result = await buildCapabilityResult(context, capability, input, invocation, answer);
  const effects: SettlementEffects = {
    artifact: answer.actualStatus === "hit" ? null : answer.artifact,
    fingerprint: answer.fingerprint,
  };
  return {
    actualStatus: answer.actualStatus,
    resultHash: result.evidenceReference.resultHash,
    artifactId: result.evidenceReference.artifactId,
    body: Buffer.from(JSON.stringify(result)),
    effects: JSON.stringify(effects),
  };
}

/** Marks the outcome unknown and lets the chain decide at once if it can. */
async function concludeFromChain(
  context: PaymentsContext,
  invocation: Invocation,
  refuse: Refuse,
  reason: string,
): Promise<PaidOutcome> {
  await markUnknown(context.database, invocation.invocationId, reason);
  const fate = await reconcileInvocation(context, invocation);
  if (fate.status === "paid") return replay(context, invocation);
  if (fate.status === "dead") return refuse("payment_failed", fate.reason);
  throw outcomeUnknown();
}

/** A stranger says that nothing was moved. Believed only if the token, too, counts the nonce as unused. */
async function concludeFailure(
  context: PaymentsContext,
  invocation: Invocation,
  refuse: Refuse,
  reason: string,
): Promise<PaidOutcome> {
  if ((await isAuthorizationUsed(context, invocation)) !== false)
    return concludeFromChain(context, invocation, refuse, reason);
  await finishFailed(context, invocation, reason);
  return refuse("payment_failed", reason);
}

async function settle(
  context: PaymentsContext,
  payment: PaymentPayload,
  invocation: Invocation,
  refuse: Refuse,
): Promise<PaidOutcome> {
  const expired = checkWindow(payment);
  if (expired) {
    await finishVoid(context, invocation, expired);
    return refuse(expired);
  }
  if (!(await markSettling(context.database, invocation))) throw outcomeOfLostLease();
  const outcome = await context.facilitator.settle(payment, payment.accepted);
  switch (outcome.status) {
    case "settled":
      if (!context.facilitator.isTrusted)
        return concludeFromChain(context, invocation, refuse, "facilitator reports success");
      await finishSettled(context, invocation, outcome.transaction);
      return replay(context, invocation);
    case "not_sent":
      await finishFailed(context, invocation, outcome.reason);
      throw new AssayError(
        "facilitator_unavailable",
        "The payment could not be sent to settlement now. Nothing was charged; retry the same payload.",
      );
    case "failed":
      if (!context.facilitator.isTrusted) return concludeFailure(context, invocation, refuse, outcome.reason);
      await finishFailed(context, invocation, outcome.reason);
      return refuse("payment_failed", outcome.reason);
    case "unknown":
      context.logger.warn(
        { invocationId: invocation.invocationId, reason: outcome.reason },
        "settlement outcome unknown",
      );
      await markUnknown(context.database, invocation.invocationId, outcome.reason);
      throw outcomeUnknown();
  }
}
