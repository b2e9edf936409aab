import { AssayError, type ErrorCode, errorCodes, type Problem } from "@assay/protocol";
import { isDatabaseOutage } from "../store/database.js";

/** The one map from error to HTTP status. 402 is not here: x402 defines that answer. */
const statuses: Record<ErrorCode, number> = {
  invalid_input: 400,
  invalid_json: 400,
  invalid_payment_header: 400,
  unknown_capability: 400,
  claim_already_false: 400,
  web_target_forbidden: 400,
  invocation_without_verdict: 400,
  action_unsigned: 401,
  action_wallet_mismatch: 401,
  action_out_of_time: 401,
  action_signature_invalid: 401,
  action_nonce_used: 401,
  sign_in_refused: 401,
  wallet_blocked: 403,
  private_artifact: 403,
  foreign_invocation: 403,
  foreign_host: 403,
  not_found: 404,
  transaction_not_mined: 404,
  method_not_allowed: 405,
  invocation_not_settled: 409,
  outcome_differs: 409,
  fingerprint_fresh: 409,
  payment_identifier_used: 409,
  answer_deleted: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  execution_too_large: 422,
  publication_burned: 422,
  web_page_unsupported: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  web_page_unavailable: 502,
  payment_in_flight: 503,
  payment_outcome_unknown: 503,
  chain_unavailable: 503,
  chain_head_stale: 503,
  database_unavailable: 503,
  facilitator_unavailable: 503,
  signer_unavailable: 503,
  log_inconsistent: 503,
  overloaded: 503,
  shutting_down: 503,
};

export const statusOf = (code: ErrorCode): number => statuses[code];

export interface ProblemResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Problem;
}

/** The one code of anything thrown. What we did not throw on purpose stays opaque to the caller. */
export function toAssayError(error: unknown): AssayError {
  if (error instanceof AssayError) return error;
  if (isDatabaseOutage(error)) {
    return new AssayError("database_unavailable", "The database did not answer. Retry shortly.", {
      cause: error,
    });
  }
  return new AssayError("internal_error", "The service failed to handle this request.", { cause: error });
}

export function toProblemResponse(error: AssayError, requestId: string): ProblemResponse {
  const status = statuses[error.code];
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(error.retryAfterSeconds !== undefined && { "retry-after": String(error.retryAfterSeconds) }),
    },
    body: {
      type: "about:blank",
      title: errorCodes[error.code].title,
      status,
      detail: error.message,
      code: error.code,
      requestId,
      ...(error.fields.length > 0 && { errors: [...error.fields] }),
    },
  };
}
