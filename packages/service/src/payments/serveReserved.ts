import {
  AssayError,
  type PaymentErrorCode,
  type PaymentPayload,
  type PaymentRequired,
} from "@assay/protocol";
import { freshnessOf } from "../evidence/freshness.js";
import { throughOutage } from "../store/database.js";
import type { PayerSignatureCheck } from "./authorizationSignature.js";
import type { ResponseContext } from "./capabilityResponse.js";
import type { ChallengeContext } from "./challenge.js";
import type { Facilitator, VerifyOutcome } from "./facilitator.js";
import { finishFailed, finishSettled, finishVoid, type SettledResponse } from "./finish.js";
import { type ComputedAnswer, type Invocation, markUnknown, storeAnswer } from "./invocations.js";
import { isAuthorizationUsed, reconcileInvocation } from "./reconcile.js";
import { openResponse } from "./sealedResponse.js";
import { getStoredResponse } from "./storedResponses.js";

export interface PaymentsContext extends ResponseContext, ChallengeContext {
  readonly facilitator: Facilitator;
  readonly isSignedByPayer: PayerSignatureCheck;
}

export type PaidOutcome =
  | { readonly status: "challenge"; readonly challenge: PaymentRequired }
  | { readonly status: "answer"; readonly invocationId: string; readonly response: SettledResponse };

/** A 402 with a fresh challenge. */
export type Refuse = (error: PaymentErrorCode, detail?: string) => PaidOutcome;

/** What a payment buys. */
export interface Sale {
  /** Does the work, charged or not; then writes the answer owed to one invocation. What it throws voids the call. */
  compute(
    reserved: Pick<Invocation, "payer">,
  ): Promise<(invocation: Invocation, payment: PaymentPayload) => Promise<ComputedAnswer>>;
}

/** The authorization must outlive the work and the settlement by this much. */
const MIN_REMAINING_SECONDS = 10n;

function checkWindow(payment: PaymentPayload): PaymentErrorCode | undefined {
  const { validAfter, validBefore } = payment.payload.authorization;
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const covers =
    BigInt(validAfter) <= nowSeconds && BigInt(validBefore) >= nowSeconds + MIN_REMAINING_SECONDS;
  return covers ? undefined : "authorization_expired";
}

/** Looked at before the work and again before settling: a deadline may pass in between. */
async function voidIfExpired(
  context: PaymentsContext,
  payment: PaymentPayload,
  invocation: Invocation,
): Promise<PaymentErrorCode | undefined> {
  const expired = checkWindow(payment);
  if (expired) await finishVoid(context, invocation, expired);
  return expired;
}

export function outcomeUnknown(): AssayError {
  return new AssayError(
    "payment_outcome_unknown",
    "The payment was sent to settlement and its outcome is not known yet. Retry the same payload; do not sign a new one.",
    { retryAfterSeconds: 3 },
  );
}

/** The stored answer of a settled call, byte for byte; a private one opens only with the signature that paid for it. */
export async function replay(
  context: PaymentsContext,
  invocation: Invocation,
  payment: PaymentPayload,
): Promise<PaidOutcome> {
  const { invocationId } = invocation;
  const { body, isSealed, paymentResponse } = await getStoredResponse(context.database, invocationId);
  const { answerSecret } = context.settings;
  const { signature } = payment.payload;
  const plain = body && isSealed ? openResponse(answerSecret, signature, invocationId, body) : body;
  if (!plain)
    throw new AssayError(
      "answer_deleted",
      `This payment was settled and answered; private answers are kept for an hour. Its receipt is ${context.settings.publicUrl}/api/v1/receipts/${invocationId}.`,
    );
  return { status: "answer", invocationId, response: { body: plain, paymentResponse } };
}

/** The reservation is ours: verify while computing, then settle, then release. */
export async function serveReserved(
  context: PaymentsContext,
  sale: Sale,
  payment: PaymentPayload,
  invocation: Invocation,
  refuse: Refuse,
): Promise<PaidOutcome> {
  const expired = await voidIfExpired(context, payment, invocation);
  if (expired) return refuse(expired);
  const [verified, answered] = await Promise.allSettled([
    context.facilitator.verify(payment, payment.accepted),
    sale.compute(invocation),
  ]);
  context.failpoints.reach("after_verify_and_answer");
  const verdict: VerifyOutcome =
    verified.status === "fulfilled"
      ? verified.value
      : { status: "unavailable", reason: String(verified.reason) };
  if (verdict.status === "refused" && !(await mayBeUsed(context, invocation, verdict))) {
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
  const expiredMeanwhile = await voidIfExpired(context, payment, invocation);
  if (expiredMeanwhile) return refuse(expiredMeanwhile);
  const computed = await answered.value(invocation, payment);
  // The token already counts this nonce as used: somebody else may have delivered the payment for us.
  const unknownBecause = verdict.status === "refused" ? verdict.reason : null;
  if (!(await storeAnswer(context.database, invocation, computed, unknownBecause)))
    throw outcomeOfLostLease();
  context.failpoints.reach("after_settling");
  if (unknownBecause !== null) return conclude(context, invocation, payment, refuse);
  return settle(context, payment, invocation, computed, refuse);
}

/** A stranger that refuses may have used the authorization all the same; only the token's word clears it. */
async function mayBeUsed(
  context: PaymentsContext,
  invocation: Invocation,
  verdict: { readonly authorizationUsed: boolean },
): Promise<boolean> {
  if (verdict.authorizationUsed || context.facilitator.isTrusted) return verdict.authorizationUsed;
  return (await isAuthorizationUsed(context, invocation)) !== false;
}

function outcomeOfLostLease(): AssayError {
  return new AssayError(
    "payment_in_flight",
    "Another process took this payment over; retry the same payload to get its answer.",
  );
}

/** Lets the chain decide, now if it can. */
export async function conclude(
  context: PaymentsContext,
  invocation: Invocation,
  payment: PaymentPayload,
  refuse: Refuse,
): Promise<PaidOutcome> {
  const fate = await reconcileInvocation(context, invocation);
  if (fate.status === "paid") return replay(context, invocation, payment);
  if (fate.status === "dead") return refuse("payment_failed", fate.reason);
  throw outcomeUnknown();
}

async function concludeFromChain(
  context: PaymentsContext,
  invocation: Invocation,
  payment: PaymentPayload,
  refuse: Refuse,
  reason: string,
): Promise<PaidOutcome> {
  await markUnknown(context.database, invocation.invocationId, reason);
  return conclude(context, invocation, payment, refuse);
}

/** A stranger says that nothing was moved. Believed only if the token, too, counts the nonce as unused. */
async function concludeFailure(
  context: PaymentsContext,
  invocation: Invocation,
  payment: PaymentPayload,
  refuse: Refuse,
  reason: string,
): Promise<PaidOutcome> {
  if ((await isAuthorizationUsed(context, invocation)) !== false)
    return concludeFromChain(context, invocation, payment, refuse, reason);
  await finishFailed(context, invocation, reason);
  return refuse("payment_failed", reason);
}

async function settle(
  context: PaymentsContext,
  payment: PaymentPayload,
  invocation: Invocation,
  computed: ComputedAnswer,
  refuse: Refuse,
): Promise<PaidOutcome> {
  const outcome = await context.facilitator.settle(payment, payment.accepted);
  context.failpoints.reach("after_settle");
  switch (outcome.status) {
    case "settled": {
      if (!context.facilitator.isTrusted)
        return concludeFromChain(context, invocation, payment, refuse, "facilitator reports success");
      // The money has moved: a database that is away for a moment must not cost the payer a minute's lease.
      const settled = await throughOutage(() => finishSettled(context, invocation, outcome.transaction));
      context.failpoints.reach("after_settled");
      // Reconciliation was faster, or a later attempt stored its own answer: what is stored counts.
      if (settled?.attempt !== invocation.attempt) return replay(context, invocation, payment);
      // Other processes hear of it from the database; whoever asks here next should not wait for that.
      const { effects } = computed;
      if (effects && "artifact" in effects)
        context.freshness.learn(freshnessOf(effects.artifact, effects.fingerprint?.address ?? null));
      const response = { body: Buffer.from(computed.body), paymentResponse: settled.paymentResponse };
      return { status: "answer", invocationId: invocation.invocationId, response };
    }
    case "not_sent":
      await finishFailed(context, invocation, outcome.reason);
      throw new AssayError(
        "facilitator_unavailable",
        "The payment could not be sent to settlement now. Nothing was charged; retry the same payload.",
      );
    case "failed":
      if (!context.facilitator.isTrusted)
        return concludeFailure(context, invocation, payment, refuse, outcome.reason);
      await finishFailed(context, invocation, outcome.reason);
      return refuse("payment_failed", outcome.reason);
    case "unknown":
      context.logger.warn(
        { invocationId: invocation.invocationId, reason: outcome.reason },
        "settlement outcome unknown",
      );
      await markUnknown(context.database, invocation.invocationId, outcome.reason);
      context.failpoints.reach("after_unknown");
      throw outcomeUnknown();
  }
}
