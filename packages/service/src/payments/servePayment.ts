import {
  type AnyPayment,
  AssayError,
  CHANNEL_SCHEME,
  type ChannelPayment,
  type PaymentErrorCode,
} from "@assay/protocol";
import { span } from "../base/tracing.js";
import { OfferEndedError } from "../evidence/answer.js";
import { freshnessOf } from "../evidence/freshness.js";
import { endQuote } from "../quotes/quotes.js";
import { walletBlocked } from "../store/blockedWallets.js";
import { throughOutage } from "../store/database.js";
import { isSignedByPayer } from "./authorizationSignature.js";
import { serveVoucher } from "./channels/serveVoucher.js";
import { checkAuthorization, checkDeadline } from "./checkAuthorization.js";
import { countCost } from "./countCost.js";
import type { VerifyOutcome } from "./facilitator.js";
import { finishSettled } from "./finishSettled.js";
import { finishUnsettled, finishVoid } from "./finishUncharged.js";
import { holdLease } from "./holdLease.js";
import { markUnknown } from "./invocations.js";
import { matchOffer } from "./matchOffer.js";
import { findKnown, isDeliveredMeanwhile, isLost, isOwedAlready } from "./owed.js";
import {
  type CheckedRequest,
  createPaidCall,
  type PaidCall,
  type PaidOutcome,
  type ReservedCall,
  type Sale,
} from "./paidCall.js";
import { hasPaidLately, type PayerRecord, readPayerRecord } from "./payerRecord.js";
import {
  belowCost,
  isUnsigned,
  lostLease,
  notSent,
  notVerified,
  outcomeUnknown,
  verifyCanSign,
  whereMoneyMayHaveMoved,
} from "./paymentErrors.js";
import { isAuthorizationUsed } from "./paymentFate.js";
import type { PaymentsContext } from "./paymentsContext.js";
import { reconcileInvocation } from "./reconcile.js";
import { isDelivered, reopenIfUsed } from "./reopen.js";
import { replay } from "./replay.js";
import { identifierUsed, type KnownPayment, reserve, reserveOwed } from "./reserve.js";
import { balanceOfCall } from "./settlement/transferCall.js";
import { type OwedAnswer, storeAnswer } from "./storeAnswer.js";

/** Takes a payment by channel to `serveVoucher`, and any other through the life below. */
export async function servePayment(
  context: PaymentsContext,
  sale: Sale,
  request: CheckedRequest,
  payment: AnyPayment,
): Promise<PaidOutcome> {
  const { limits } = context;
  limits.refuseIfSpent("refusedPayment", request.clientAddress);
  const outcome = await span("pay", { "assay.capability": request.sold.id }, async (add) => {
    const served = isByChannel(payment)
      ? await serveVoucher(createPaidCall(context, sale, request, payment))
      : await serve(createPaidCall(context, sale, request, payment));
    add({ "assay.outcome": served.status });
    return served;
  });
  if (outcome.status === "challenge") await limits.consume("refusedPayment", request.clientAddress);
  return outcome;
}

const isByChannel = (payment: AnyPayment): payment is ChannelPayment =>
  payment.accepted.scheme === CHANNEL_SCHEME;

/**
 * The life of a payment, from top to bottom. What it costs and what it commits grows with each step: local checks, one
 * reservation, the work, the stored answer, the money. The answer leaves only after `settled`. Retryable trouble is
 * thrown as an AssayError, and a 402 is given only when it is certain that nothing was charged.
 */
async function serve(call: PaidCall): Promise<PaidOutcome> {
  const { context, sale, payment } = call;
  const { facilitator, failpoints } = context;

  if (context.blockedWallets.has(payment.payload.authorization.from) && !(await isOwedAlready(call)))
    throw walletBlocked();
  // Is this a payment that we asked for?
  // A contract wallet may refuse today what it signed before. It still gets what it has bought: see `refuseUnlessKnown`.
  const isSigned = await isSignedByPayer(context, payment.payload, call.request.clientAddress);
  const mismatch = isSigned ? checkAuthorization(call) : "signature_invalid";
  const match = mismatch ? { refusal: mismatch } : await matchOffer(call, payment.payload.authorization.from);
  if ("refusal" in match) return refuseUnlessKnown(call, match.refusal);
  const obstacle = findObstacle(call);
  if (obstacle) return replayOrThrow(call, obstacle);

  // → reserved: from here on, one of any number of racers owns the payment.
  let reservation = await span("pay.reserve", {}, () => reserve(call, match.offer));
  if (reservation.status === "failed") {
    const { invocation } = reservation;
    reservation = (await reopenIfUsed(call, invocation)) ?? (await reserve(call, match.offer, true));
  }
  const isRefused = reservation.status === "refused" || reservation.status === "name_used";
  const isOwed = isRefused && (await isDeliveredMeanwhile(call));
  if (isOwed) reservation = await reserveOwed(call, match.offer);
  if (reservation.status !== "reserved") return serveKnown(call, reservation);
  const reserved: ReservedCall = { ...call, invocation: reservation.invocation };
  failpoints.reach("after_reserve");

  // reserved → void, unless the payment is good, the answer is computed, and there is time left to settle.
  const expired = checkDeadline(call);
  // Only a use of the nonce after the reservation pays for a call, so a first attempt need not ask the chain for one, unless a
  // restored database had lost the call.
  const mayBePaid = expired !== undefined && (reserved.invocation.attempt > 1 || (await isLost(call)));
  const wasDelivered = isOwed || (mayBePaid && (await isDeliveredSoFar(reserved)));
  if (expired && !wasDelivered) return voidAndRefuse(reserved, expired);
  // A payer with credit was promised the low price: the service bears the difference.
  const atAnyCost = reserved.invocation.creditMicroUsd > 0n;
  const costRefusal =
    atAnyCost || wasDelivered ? undefined : facilitator.findCostRefusal?.(reserved.invocation.amount);
  if (costRefusal) return voidAndThrow(reserved, costRefusal, belowCost(costRefusal));
  const reading = toOutcome(readPayerRecord(context.database, reserved.invocation));
  // For a payer who has paid before, the work starts while the payment is verified, and their first questions to the chain are one
  // request. A stranger could take the work and not pay, so it starts once the payment is known to be good.
  const hasPaid = hasPaidLately(context.database, reserved.invocation) || unwrap(await reading).hasPaid;
  const verifying = wasDelivered
    ? undefined
    : toOutcome(span("pay.verify", {}, () => facilitator.verify(payment, payment.accepted)));
  const early = hasPaid ? toOutcome(sale.compute(reserved)) : undefined;
  let verification = verifying ? await readVerification(reserved, await verifying) : DELIVERED;
  if (verification.status !== "valid") await early;
  if (verification.status === "refused")
    return voidAndRefuse(reserved, "payment_refused", verification.reason);
  if (verification.status === "unavailable")
    return voidAndThrow(reserved, `verify: ${verification.reason}`, notVerified());
  const payerRecord = await reading;
  if (payerRecord.status === "rejected") await early;
  const overdraft =
    verification.status === "valid" ? await findOverdraft(reserved, unwrap(payerRecord)) : undefined;
  if (overdraft) await early;
  if (overdraft?.status === "refused") return voidAndRefuse(reserved, "payment_refused", overdraft.reason);
  if (overdraft) return voidAndThrow(reserved, `balance: ${overdraft.reason}`, notVerified());
  let computed = await (early ?? toOutcome(sale.compute(reserved)));
  failpoints.reach("after_verify_and_answer");
  const expiredMeanwhile = checkDeadline(call);
  const hasEnded = hasOfferEnded(computed);
  // Money may have moved meanwhile, and a 402 would deny it: what was offered for it is owed.
  if (verification.status === "valid" && (hasEnded || expiredMeanwhile) && (await isDeliveredSoFar(reserved)))
    verification = DELIVERED;
  if (verification.status === "valid" && hasEnded) return endOffer(reserved);
  if (hasEnded) computed = await toOutcome(sale.compute(reserved, true));
  if (computed.status === "rejected") {
    const isUnpaid = verification.status === "valid";
    return voidAfterWork(reserved, isUnpaid ? computed.reason : whereMoneyMayHaveMoved(computed.reason));
  }
  if (verification.status === "valid" && expiredMeanwhile) return voidAndRefuse(reserved, expiredMeanwhile);

  // reserved → settling: the answer is stored before anyone is asked to move money.
  const written = await toOutcome(computed.value());
  if (written.status === "rejected") return voidAndThrow(reserved, "not signed", written.reason);
  const answer = written.value;
  const unknownBecause = verification.status === "perhaps_used" ? verification.reason : null;
  const isStored = await span("pay.store", {}, () =>
    storeAnswer(context.database, reserved.invocation, payment, answer, unknownBecause),
  );
  if (!isStored) throw lostLease();
  failpoints.reach("after_settling");
  if (unknownBecause !== null) return resolveUnknown(reserved);

  // settling → settled, failed or unknown. What a remote facilitator reports is checked against the chain.
  const outcome = await holdLease(context, reserved.invocation, () =>
    span("pay.settle", {}, () => facilitator.settle(payment, payment.accepted, { atAnyCost })),
  );
  failpoints.reach("after_settle");
  switch (outcome.status) {
    case "settled":
      if (!facilitator.isTrusted) return settleByChain(reserved, "facilitator reports success");
      countCost(reserved, outcome);
      return finishAndRelease(reserved, answer, outcome.transaction);
    case "failed":
      if (!facilitator.isTrusted) return confirmFailure(reserved, outcome.reason);
      return failAndRefuse(reserved, outcome.reason);
    case "not_sent":
      if (!(await finishUnsettled(context, reserved.invocation, outcome.reason))) throw outcomeUnknown();
      throw outcome.isBelowCost ? belowCost(outcome.reason) : notSent();
    case "unknown":
      return leaveUnknown(reserved, outcome.reason);
  }
}

/** How it ended, as a value: a promise that fails while something else is awaited would be an unhandled rejection. */
const toOutcome = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> =>
  (await Promise.allSettled([work]))[0];

function unwrap<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Why the payer's balance does not cover this payment beside its others that are not settled yet, or why that is not known. */
async function findOverdraft(
  { context, payment, invocation }: ReservedCall,
  { pendingAmount }: PayerRecord,
): Promise<Extract<Verification, { reason: string }> | undefined> {
  if (pendingAmount === 0n) return undefined;
  const [balance] = await context.chain.readLatest([
    balanceOfCall(payment.accepted.asset, payment.payload.authorization.from),
  ]);
  if (balance.status === "unanswered") return { status: "unavailable", reason: balance.reason };
  if (balance.status !== "value")
    return { status: "refused", reason: "the payer's balance could not be read" };
  if (BigInt(balance.value) >= pendingAmount + invocation.amount) return undefined;
  const reason = `the payer's balance does not cover its payments that are not settled yet, ${pendingAmount} atomic units`;
  return { status: "refused", reason };
}

/**
 * An offer we no longer recognise (another signing key, another PAY_TO) must not turn a payment that we took into a 402:
 * what is known of this very payment comes first.
 */
async function refuseUnlessKnown(call: PaidCall, refusal: PaymentErrorCode): Promise<PaidOutcome> {
  const known = await findKnown(call);
  if (known?.state === "settled") return replay({ ...call, invocation: known });
  if (known && known.state !== "void" && known.state !== "failed") throw outcomeUnknown();
  return call.refuse(refusal);
}

/** Whether this payment was delivered, by an earlier try or by somebody else. While that is not known, the call ends retryable. */
async function isDeliveredSoFar(call: ReservedCall): Promise<boolean> {
  const { context, invocation } = call;
  try {
    return await isDelivered(context, invocation, invocation.attempt > 1);
  } catch (error) {
    return voidAndThrow(call, "the payment may be delivered", whereMoneyMayHaveMoved(error));
  }
}

/** No new call starts while the newest block known is too old to judge by. */
/** Why no new call can start now: nothing may be judged by an old head, and work that is not signed would be done for nobody. */
function findObstacle({ context }: PaidCall): unknown {
  try {
    context.chain.getFreshHead();
    verifyCanSign(context.signer);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Stored answers are served even while no new call can start. */
async function replayOrThrow(call: PaidCall, error: unknown): Promise<PaidOutcome> {
  const known = await findKnown(call);
  if (known?.state === "settled") return replay({ ...call, invocation: known });
  throw known?.state === "unknown" ? whereMoneyMayHaveMoved(error) : error;
}

/** The payment was not reserved for this call, because it was used before or may not be used. */
async function serveKnown(call: PaidCall, known: KnownPayment): Promise<PaidOutcome> {
  switch (known.status) {
    case "refused":
      return call.refuse(known.error);
    case "name_used":
      throw identifierUsed();
    case "in_flight":
      throw new AssayError(
        "payment_in_flight",
        "This payment is being served; retry the same payload to get its answer.",
      );
    case "settled":
      return replay({ ...call, invocation: known.invocation });
    // Another process was faster.
    case "failed":
      throw outcomeUnknown();
    case "unknown":
      return resolveUnknown({ ...call, invocation: known.invocation });
  }
}

const DELIVERED: Verification = { status: "perhaps_used", reason: "it was delivered meanwhile" };

type Verification =
  | { readonly status: "valid" }
  /** Somebody else may have delivered the payment for us. */
  | { readonly status: "perhaps_used" | "refused" | "unavailable"; readonly reason: string };

/** What the facilitator's answer means. A remote one may refuse an authorization that it has used; the token knows. */
async function readVerification(
  { context, invocation }: ReservedCall,
  verified: PromiseSettledResult<VerifyOutcome>,
): Promise<Verification> {
  if (verified.status === "rejected") return { status: "unavailable", reason: String(verified.reason) };
  const outcome = verified.value;
  // Asked before without an answer, a remote facilitator may have delivered it since.
  if (outcome.status === "valid" && !context.facilitator.isTrusted && invocation.attempt > 1) {
    const used = await isAuthorizationUsed(context, invocation);
    if (used !== false) return DELIVERED;
  }
  if (outcome.status !== "refused") return outcome;
  const { reason } = outcome;
  const mayBeUsed =
    outcome.authorizationUsed || context.facilitator.isTrusted
      ? outcome.authorizationUsed
      : (await isAuthorizationUsed(context, invocation)) !== false;
  return { status: mayBeUsed ? "perhaps_used" : "refused", reason };
}

async function voidAndRefuse(
  call: ReservedCall,
  error: PaymentErrorCode,
  detail?: string,
): Promise<PaidOutcome> {
  await finishVoid(call.context, call.invocation, detail ?? error);
  return call.refuse(error, detail);
}

const hasOfferEnded = (computed: PromiseSettledResult<unknown>): boolean =>
  computed.status === "rejected" && computed.reason instanceof OfferEndedError;

/** The answer that the offer priced has ended since: the offer ends with it, and the new challenge names the price now. */
async function endOffer(call: ReservedCall): Promise<PaidOutcome> {
  const { quoteId } = call.invocation;
  if (quoteId !== null) await endQuote(call.context.database, quoteId);
  return voidAndRefuse(call, quoteId === null ? "ticket_expired" : "quote_expired");
}

async function voidAndThrow(call: ReservedCall, reason: string, error: unknown): Promise<never> {
  await finishVoid(call.context, call.invocation, reason);
  throw error;
}

/** Work that fails costs its caller nothing, so it is bounded like refused payments. */
async function voidAfterWork(call: ReservedCall, error: unknown): Promise<never> {
  const { context, request, invocation } = call;
  await finishVoid(context, invocation, "the answer could not be computed");
  await context.limits.consume("refusedPayment", request.clientAddress);
  throw error;
}

/** Money may have moved: the chain decides, now if it can. */
async function resolveUnknown(call: ReservedCall): Promise<PaidOutcome> {
  const fate = await reconcileInvocation(call.context, call.invocation).catch((error) => {
    throw whereMoneyMayHaveMoved(error);
  });
  if (fate.status === "paid") return replay(call);
  if (fate.status === "dead") return call.refuse("payment_failed", fate.reason);
  throw outcomeUnknown();
}

/** The word of a remote facilitator settles nothing: only the chain does. */
async function settleByChain(call: ReservedCall, reason: string): Promise<PaidOutcome> {
  await markUnknown(call.context.database, call.invocation.invocationId, reason);
  return resolveUnknown(call);
}

/** A remote facilitator reports that nothing was moved. Believed only if the token, too, counts the nonce as unused. */
async function confirmFailure(call: ReservedCall, reason: string): Promise<PaidOutcome> {
  const used = await isAuthorizationUsed(call.context, call.invocation);
  return used === false ? failAndRefuse(call, reason) : settleByChain(call, reason);
}

async function failAndRefuse(call: ReservedCall, reason: string): Promise<PaidOutcome> {
  if (!(await finishUnsettled(call.context, call.invocation, reason))) throw outcomeUnknown();
  return call.refuse("payment_failed", reason);
}

async function leaveUnknown({ context, invocation }: ReservedCall, reason: string): Promise<never> {
  const { invocationId } = invocation;
  context.logger.warn({ invocationId, reason }, "settlement outcome unknown");
  await markUnknown(context.database, invocationId, reason);
  context.failpoints.reach("after_unknown");
  throw outcomeUnknown();
}

/** The money has moved: records it with everything it causes, and hands the answer out. */
async function finishAndRelease(
  call: ReservedCall,
  { body, effects }: OwedAnswer,
  transaction: string,
): Promise<PaidOutcome> {
  const { context, invocation } = call;
  // While the database is away for a moment this waits: otherwise the payer would wait until the lease has ended.
  const finished = span("pay.finish", {}, () =>
    throughOutage(() => finishSettled(context, invocation, transaction)),
  );
  const settled = await finished.catch((error) => {
    if (isUnsigned(error)) return leaveUnknown(call, "its x402 receipt is not signed yet");
    throw error;
  });
  context.failpoints.reach("after_settled");
  // Reconciliation was faster, or a later attempt stored its own answer: what is stored counts.
  if (settled?.attempt !== invocation.attempt) return replay(call);
  // Other processes learn of the answer from the database; the next caller of this one does not wait for that.
  if (effects && "artifact" in effects)
    context.freshness.learn(freshnessOf(effects.artifact, effects.fingerprint?.address ?? null));
  const response = { body: Buffer.from(body), paymentResponse: settled.paymentResponse };
  return { status: "answer", invocationId: invocation.invocationId, response };
}
