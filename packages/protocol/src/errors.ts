import type { channelErrors } from "./channelErrors.js";

/**
 * Every machine-readable error of the service, and whether sending the same request again can help.
 * HTTP statuses are in the service's error map. Reasons inside a 402 are `paymentErrors`, because x402
 * defines that body.
 */
export const errorCodes = {
  invalid_input: { retryable: false, title: "The request has fields that break a rule" },
  invalid_json: { retryable: false, title: "The request body is not JSON" },
  invalid_payment_header: { retryable: false, title: "The PAYMENT-SIGNATURE header cannot be read" },
  unknown_capability: { retryable: false, title: "No capability has that name" },
  action_unsigned: { retryable: false, title: "This action must be signed by the wallet it names" },
  action_wallet_mismatch: { retryable: false, title: "The signing wallet is not the one in the body" },
  action_out_of_time: { retryable: false, title: "The signed time is too far from the server's" },
  action_signature_invalid: {
    retryable: false,
    title: "The signature is not this wallet's over this action",
  },
  action_nonce_used: { retryable: false, title: "This nonce was used already" },
  sign_in_refused: { retryable: false, title: "Nothing shows that the wallet's owner asks" },
  foreign_invocation: { retryable: false, title: "The invocation belongs to another wallet" },
  invocation_without_verdict: { retryable: false, title: "The invocation gave no verdict on an obligation" },
  invocation_not_settled: { retryable: false, title: "The invocation was not settled" },
  outcome_differs: { retryable: false, title: "Another outcome was reported for this invocation" },
  fingerprint_fresh: { retryable: false, title: "A fresh fingerprint of this address exists" },
  publication_burned: { retryable: false, title: "The chain contradicts this publication" },
  claim_already_false: { retryable: false, title: "The chain contradicts this claim already" },
  web_target_forbidden: { retryable: false, title: "The URL does not lead to a public page" },
  web_page_unsupported: { retryable: false, title: "This service cannot read that page" },
  web_page_unavailable: { retryable: true, title: "The server of the page did not deliver it" },
  wallet_blocked: { retryable: false, title: "The operator does not sell to this wallet" },
  private_artifact: { retryable: false, title: "The artifact is private to the wallet that paid for it" },
  execution_too_large: { retryable: false, title: "The transaction is too large to notarize" },
  transaction_not_mined: { retryable: true, title: "No mined transaction has that hash" },
  foreign_host: { retryable: false, title: "The Host header names another service" },
  not_found: { retryable: false, title: "Nothing is here" },
  payment_identifier_used: {
    retryable: false,
    title: "The payment identifier belongs to another payment",
  },
  answer_deleted: { retryable: false, title: "The answer to this settled payment is no longer kept" },
  method_not_allowed: { retryable: false, title: "This path does not take that method" },
  body_too_large: { retryable: false, title: "The request body is too large" },
  headers_too_large: { retryable: false, title: "The request headers are too large" },
  unsupported_media_type: { retryable: false, title: "The body must be application/json" },
  rate_limited: { retryable: true, title: "Too many requests" },
  payment_in_flight: { retryable: true, title: "This payment is being processed" },
  payment_outcome_unknown: { retryable: true, title: "The outcome of this payment is not known yet" },
  chain_unavailable: { retryable: true, title: "The chain could not be read" },
  chain_head_stale: { retryable: true, title: "The newest block known is too old to judge by" },
  database_unavailable: { retryable: true, title: "The database did not answer" },
  facilitator_unavailable: { retryable: true, title: "The x402 facilitator did not answer" },
  signer_unavailable: { retryable: true, title: "The key that signs did not answer" },
  log_inconsistent: { retryable: true, title: "The transparency log does not agree with itself" },
  overloaded: { retryable: true, title: "The service is at capacity" },
  shutting_down: { retryable: true, title: "The service is shutting down" },
  internal_error: { retryable: true, title: "The service failed" },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Why a request with, or without, a payment was answered 402. */
export const paymentErrors = {
  payment_required: "This call is paid. Sign one of the accepted payments and retry.",
  quote_not_found: "No quote has that id. Pay this challenge instead.",
  quote_expired: "The quote has expired. Pay this challenge or ask for a new quote.",
  quote_used: "The quote was already used. Pay this challenge or ask for a new quote.",
  quote_foreign: "The quote is bound to another wallet than the payer.",
  quote_mismatch: "The quote is for another capability or other input.",
  quote_credit_spent: "The credit this quote relied on has been spent. Pay this challenge instead.",
  ticket_missing: "The payment names no challenge or quote of this service.",
  ticket_invalid: "The payment's challenge was not issued by this service.",
  ticket_expired: "The challenge this payment answers has expired.",
  ticket_used: "The challenge this payment answers has started another call. Sign this one instead.",
  ticket_mismatch: "The payment answers a challenge for another request.",
  requirements_mismatch: "The payment differs from the requirements it was offered.",
  authorization_mismatch: "The signed authorization differs from the accepted requirements.",
  authorization_expired: "The authorization's validity window does not cover this call.",
  signature_invalid: "The authorization's signature is not its payer's.",
  payment_refused: "The payment did not pass verification. Nothing was charged.",
  payment_failed: "The payment could not be settled. Nothing was charged.",
  payment_already_used: "This payment was already used for another request.",
} as const;

export type PaymentErrorCode = keyof typeof paymentErrors | keyof typeof channelErrors;

export interface FieldError {
  readonly field: string;
  readonly rule: string;
}

/** The only error type that the service throws on purpose; every other one is a defect or an outage. */
export class AssayError extends Error {
  override readonly name = "AssayError";
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { fields?: readonly FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? (errorCodes[code].retryable ? 1 : undefined);
  }
}
