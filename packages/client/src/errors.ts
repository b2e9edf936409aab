import {
  type ErrorCode,
  errorCodes,
  type FieldError,
  type PaymentErrorCode,
  type Problem,
  paymentErrors,
} from "@assay/protocol";
import { AssayClientError } from "./assayClientError.js";
import type { AnyPreparedPayment } from "./preparedPayment.js";

/** Nothing answered at the service's address, or the connection failed. */
export class ServiceUnreachableError extends AssayClientError {
  override readonly name = "ServiceUnreachableError";
  override readonly code = "service_unreachable";
  override readonly retryable = true;
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
export class UnexpectedResponseError extends AssayClientError {
  override readonly name = "UnexpectedResponseError";
  override readonly code = "unexpected_response";
  /** A proxy in front of the service answers such statuses while the service restarts. */
  override readonly retryable: boolean;
  readonly status: number;
  readonly body: Uint8Array;

  constructor(url: string, status: number, body: Uint8Array, detail: string) {
    const { origin, pathname } = new URL(url);
    super(
      `${origin}${pathname} answered ${status}, ${detail}. Is this an Assay service of the same version?`,
    );
    this.retryable = status >= 500 || PASSING.has(status);
    this.status = status;
    this.body = body;
  }
}

/** Statuses below 500 that pass by themselves: a timeout, a request that came too early, a limit on requests. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

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
  wallet_blocked: "Nothing was charged; use another service, or ask its operator why.",
  rate_limited: "Wait, then send the request again.",
  payment_in_flight: "Send the same payment again; do not sign a new one.",
  payment_outcome_unknown: "Send the same payment again; do not sign a new one.",
  internal_error: "Try again; if it stays, report the request id.",
};

/** A problem document of the service (RFC 9457). */
export class ProblemError extends AssayClientError {
  override readonly name = "ProblemError";
  readonly status: number;
  override readonly code: ErrorCode;
  readonly detail: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string;
  override readonly retryable: boolean;
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

/** The price is above `maxPriceUsd`. Nothing was signed. */
export class SpendLimitError extends AssayClientError {
  override readonly name = "SpendLimitError";
  override readonly code = "price_above_limit";
  override readonly retryable = false;
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

/** With this payment the client would exceed `maxTotalUsd`. Nothing was signed. */
export class BudgetError extends AssayClientError {
  override readonly name = "BudgetError";
  override readonly code = "budget_exceeded";
  override readonly retryable = false;
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

/** The challenge asks for a payment this client does not make. Nothing was signed. */
export class UnacceptableChallengeError extends AssayClientError {
  override readonly name = "UnacceptableChallengeError";
  override readonly code = "unacceptable_challenge";
  /** A price that has ended since: the next one may be good. */
  override readonly retryable: boolean;
  constructor(detail: string, { retryable = false } = {}) {
    super(`${detail} Nothing was signed.`);
    this.retryable = retryable;
  }
}

/** The service wants signatures for another origin than the one it was reached by. Nothing was signed. */
export class ForeignAudienceError extends AssayClientError {
  override readonly name = "ForeignAudienceError";
  override readonly code = "foreign_audience";
  override readonly retryable = false;
  readonly audience: string;

  constructor(own: string, audience: string) {
    super(
      `The service at ${own} asks for signatures that are good for ${audience}. Nothing was signed; if that is its own public address, pass audience: "${audience}".`,
    );
    this.audience = audience;
  }
}

/** The caller's own node gave no answer, or none that can be used. */
export class ChainNodeError extends AssayClientError {
  override readonly name = "ChainNodeError";
  override readonly code = "chain_node_unusable";
  override readonly retryable: boolean;

  constructor(message: string, { retryable }: { readonly retryable: boolean }) {
    super(message);
    this.retryable = retryable;
  }
}

/** Paying and signed actions need an account. */
export class NoAccountError extends AssayClientError {
  override readonly name = "NoAccountError";
  override readonly code = "no_wallet";
  override readonly retryable = false;
  constructor(purpose: string) {
    super(`${purpose} needs a wallet: pass account to createClient.`);
  }
}

/** Refusals of a price or payment that is too old: a new call gets a new one. */
const OUTDATED: ReadonlySet<string> = new Set([
  "quote_expired",
  "quote_credit_spent",
  "ticket_expired",
  "ticket_used",
  "authorization_expired",
]);

/** An offer ends with the stored answer that it prices: a new one states the price now. */
const ENDED_OFFER: ReadonlySet<string> = new Set(["quote_expired", "ticket_expired"]);

/** The service answered 402 and the payment, if one was sent, was not charged. */
export class PaymentRefusedError extends AssayClientError {
  override readonly name = "PaymentRefusedError";
  /** As the service gave it; one of `paymentErrors` unless the service is newer than this client. */
  override readonly code: PaymentErrorCode | string;
  override readonly retryable: boolean;
  readonly #isKnown: boolean;
  /** True when only the price was too old: the same question has a new one. */
  readonly offerEnded: boolean;
  /** The facilitator's or the chain's own reason, where there is one. */
  readonly reason: string | undefined;
  /** What the service would accept now, as it stated it. */
  readonly accepts: readonly unknown[];

  constructor(
    error: string | undefined,
    accepts: readonly unknown[] = [],
    sentences: Readonly<Record<string, string>> = paymentErrors,
  ) {
    const [code = "payment_required", ...rest] = (error ?? "payment_required").split(": ");
    const reason = rest.length > 0 ? rest.join(": ") : undefined;
    const sentence = Object.hasOwn(sentences, code) ? sentences[code] : "The payment was refused.";
    super(`${sentence} (${reason ? `${code}: ${reason}` : code})`);
    this.code = code;
    this.#isKnown = Object.hasOwn(sentences, code);
    this.retryable = OUTDATED.has(code);
    this.offerEnded = ENDED_OFFER.has(code);
    this.reason = reason;
    this.accepts = accepts;
  }

  /** A newer service may give codes that this package does not describe. */
  override get docs(): string {
    return this.#isKnown ? super.docs : "docs/errors.md#payment_refused";
  }
}

/** An answer of the service to another question, or to another payment, than the one sent: it may be a replay. */
export class OtherAnswerError extends AssayClientError {
  override readonly name = "OtherAnswerError";
  override readonly code = "other_answer";
  override readonly retryable = false;
  constructor(detail: string, to: "asked" | "paid" = "asked") {
    super(`The answer is not to what was ${to}. ${detail} Do not rely on it.`);
  }
}

/**
 * The payment was sent and it is not known whether it was charged. Do not make the call again: `prepared` is the payment
 * itself, and sending it again, now or later, gets the answer it bought without paying twice.
 */
export class PaymentOutcomeUnknownError extends AssayClientError {
  override readonly name = "PaymentOutcomeUnknownError";
  override readonly code = "payment_outcome_unknown";
  override readonly retryable = false;
  readonly prepared: AnyPreparedPayment;

  constructor(prepared: AnyPreparedPayment, cause: unknown) {
    super(
      `It is not known whether this payment was charged. Send the same payment again; do not sign a new one before ${prepared.validBefore}. Last answer: ${describe(cause)}`,
      { cause },
    );
    this.prepared = prepared;
  }
}
