import {
  type CapabilityResult,
  type ErrorCode,
  errorCodes,
  type FieldError,
  type PaymentErrorCode,
  type Problem,
  paymentErrors,
} from "@assay/protocol";
import type { AnyPreparedPayment } from "./preparedPayment.js";

/** Nothing answered at the service's address, or the connection broke. */
export class ServiceUnreachableError extends Error {
  override readonly name = "ServiceUnreachableError";
  readonly url: string;
  /** False only when no connection was made at all, so nothing can have been received. */
  readonly mayHaveArrived: boolean;

  constructor(url: string, cause: unknown) {
    const code = findSystemCode(cause);
    super(
      `No answer from ${new URL(url).origin} (${code ?? describe(cause)}). Check the address and that the service runs.`,
      {
        cause,
      },
    );
    this.url = url;
    this.mayHaveArrived = code === undefined || !NEVER_CONNECTED.has(code);
  }
}

const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** fetch wraps what the socket reported, sometimes twice. */
function findSystemCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return undefined;
}

const describe = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** The service answered with something this client does not understand. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";
  readonly status: number;
  readonly body: Uint8Array;

  constructor(url: string, status: number, body: Uint8Array, detail: string) {
    const { origin, pathname } = new URL(url);
    super(
      `${origin}${pathname} answered ${status}, ${detail}. Is this an Assay service of the same version?`,
    );
    this.status = status;
    this.body = body;
  }
}

const nextSteps: Partial<Record<ErrorCode, string>> = {
  invalid_input: "Correct the named fields and send the request again.",
  invalid_payment_header: "Prepare the payment again; nothing was charged.",
  unknown_capability: "The catalog lists every capability.",
  action_out_of_time: "Set this machine's clock and sign again.",
  action_signature_invalid:
    "Check that audience is the origin the service states in /.well-known/assay.json, and sign again.",
  fingerprint_fresh: "Nothing was published; the bounties list what nobody has seeded.",
  publication_burned: "Compute the fingerprint again from a node you trust.",
  outcome_differs: "The first outcome stands.",
  rate_limited: "Wait, then send the request again.",
  payment_in_flight: "Send the same payment again; do not sign a new one.",
  payment_outcome_unknown: "Send the same payment again; do not sign a new one.",
  internal_error: "Try again; if it stays, report the request id.",
};

/** A problem document of the service (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    const { code, detail, requestId } = problem;
    const { retryable, title } = errorCodes[code];
    const nextStep = nextSteps[code] ?? (retryable ? `Try again in ${retryAfterSeconds ?? 1} s.` : undefined);
    super([`${title}: ${detail}`, nextStep, `(${code}, request ${requestId})`].filter(Boolean).join(" "));
    this.status = problem.status;
    this.code = code;
    this.detail = detail;
    this.fields = problem.errors ?? [];
    this.requestId = requestId;
    this.retryable = retryable;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The price is above what the caller allowed. Nothing was signed. */
export class SpendLimitError extends Error {
  override readonly name = "SpendLimitError";
  readonly priceUsd: number;
  readonly maxPriceUsd: number;

  constructor(capabilityId: string, priceUsd: number, maxPriceUsd: number) {
    super(
      `${capabilityId} costs ${priceUsd} USD and the limit is ${maxPriceUsd} USD. Nothing was signed; raise maxPriceUsd to pay it.`,
    );
    this.priceUsd = priceUsd;
    this.maxPriceUsd = maxPriceUsd;
  }
}

/** The client has spent what it may spend in all. Nothing was signed. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
  readonly priceUsd: number;
  readonly leftUsd: number;

  constructor(capabilityId: string, priceUsd: number, leftUsd: number) {
    super(
      `${capabilityId} costs ${priceUsd} USD and ${leftUsd} USD of this client's budget are left, counting all it has signed. Nothing was signed; raise maxTotalUsd to pay it.`,
    );
    this.priceUsd = priceUsd;
    this.leftUsd = leftUsd;
  }
}

/** Why a guarded transaction was not signed. */
export type GuardRefusal =
  | "block"
  | "review"
  | "expired"
  | "unconfirmed"
  | "not_verified"
  | "other_transaction"
  | "fee"
  | "altered";

const refusals: Record<GuardRefusal, string> = {
  block: "The guard blocks this transaction",
  review: "The guard asks to review this transaction, and no acceptReview took it",
  expired: "The guard's answer no longer holds; send again",
  unconfirmed: "The wallet's own node does not confirm the guard's answer",
  not_verified: "The guard's answer does not verify",
  other_transaction: "The guard's answer is not about this transaction",
  fee: "The gas of this transaction is not as the policy allows",
  altered: "The wallet did not sign what was judged",
};

/** The wallet was not asked to sign: something speaks against the transaction, or against what was said of it. */
export class GuardRefusedError extends Error {
  override readonly name = "GuardRefusedError";
  readonly refusal: GuardRefusal;
  /** What was bought, for a closer look. */
  readonly answer: CapabilityResult;

  constructor(refusal: GuardRefusal, answer: CapabilityResult, detail: string) {
    const reasons = answer.result.reasonCodes.join(", ");
    super(
      `${refusals[refusal]}: ${detail} Reasons: ${reasons}. ${refusal === "altered" ? "It was not sent." : "Nothing was signed."}`,
    );
    this.refusal = refusal;
    this.answer = answer;
  }
}

/** The challenge asks for a payment this client does not make. Nothing was signed. */
export class UnacceptableChallengeError extends Error {
  override readonly name = "UnacceptableChallengeError";
  constructor(detail: string) {
    super(`${detail} Nothing was signed.`);
  }
}

/** The service wants signatures for another origin than the one it was reached by. Nothing was signed. */
export class ForeignAudienceError extends Error {
  override readonly name = "ForeignAudienceError";
  readonly audience: string;

  constructor(own: string, audience: string) {
    super(
      `The service at ${own} asks for signatures that are good for ${audience}. Nothing was signed; if that is its own public address, pass audience: "${audience}".`,
    );
    this.audience = audience;
  }
}

/** The node that was named cannot be used to check anything. */
export class ChainNodeError extends Error {
  override readonly name = "ChainNodeError";
}

/** Paying needs an account to sign with. */
export class NoAccountError extends Error {
  override readonly name = "NoAccountError";
  constructor(purpose: string) {
    super(`${purpose} needs a wallet: pass account to createClient.`);
  }
}

/** The service answered 402 and the payment, if one was sent, was not charged. */
export class PaymentRefusedError extends Error {
  override readonly name = "PaymentRefusedError";
  /** The service's word; one of `paymentErrors` unless the service is newer than this client. */
  readonly code: PaymentErrorCode | string;
  /** The facilitator's or the chain's own reason, where there is one. */
  readonly reason: string | undefined;

  constructor(error: string | undefined) {
    const [code = "payment_required", ...rest] = (error ?? "payment_required").split(": ");
    const reason = rest.length > 0 ? rest.join(": ") : undefined;
    const sentence = Object.hasOwn(paymentErrors, code)
      ? paymentErrors[code as PaymentErrorCode]
      : "The payment was refused.";
    super(`${sentence} (${reason ? `${code}: ${reason}` : code})`);
    this.code = code;
    this.reason = reason;
  }
}

/** An answer of the service, to another question than the one that was paid for, or to another payment: somebody may be replaying it. */
export class OtherAnswerError extends Error {
  override readonly name = "OtherAnswerError";
  constructor(detail: string, to: "asked" | "paid" = "asked") {
    super(`The answer is not to what was ${to}. ${detail} Do not rely on it.`);
  }
}

/**
 * The payment was sent and it is not known whether it was charged. `prepared` is the payment
 * itself: send it again, now or later, to get the answer it bought without paying twice.
 */
export class PaymentOutcomeUnknownError extends Error {
  override readonly name = "PaymentOutcomeUnknownError";
  readonly prepared: AnyPreparedPayment;

  constructor(prepared: AnyPreparedPayment, cause: unknown) {
    super(
      `It is not known whether this payment was charged. Send the same payment again; do not sign a new one before ${prepared.validBefore}. Last answer: ${describe(cause)}`,
      { cause },
    );
    this.prepared = prepared;
  }
}
