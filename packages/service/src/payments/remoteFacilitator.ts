import { createCircuitBreaker } from "@assay/chain";
import { NETWORK, type PaymentPayload, type PaymentRequirements } from "@assay/protocol";
import { HTTPFacilitatorClient } from "@x402/core/http";
import {
  SettleError,
  VerifyError,
  type PaymentPayload as X402Payload,
  type PaymentRequirements as X402Requirements,
} from "@x402/core/types";
import type { Facilitator, SettleOutcome, VerifyOutcome } from "./facilitator.js";
import { plainReason } from "./settlement/plainReason.js";

export interface RemoteTimeouts {
  readonly verifyMs: number;
  readonly settleMs: number;
}
const DEFAULT_TIMEOUTS: RemoteTimeouts = { verifyMs: 10_000, settleMs: 30_000 };

const NOT_ANSWERING = "the facilitator has not been answering";
const USED = /nonce_already_used|authorization_(is_)?used|nonce_used|duplicate_settlement/;
/**
 * Settle reasons that are decided before a transaction is sent, from the x402 packages and from the
 * specification's own list. A reason outside this list may hide a transaction, so it counts as unknown.
 */
const CERTAIN_FAILURES = new Set([
  "insufficient_funds",
  "invalid_scheme",
  "invalid_network",
  "invalid_payload",
  "invalid_payment_requirements",
  "invalid_x402_version",
  "unsupported_scheme",
  ...[
    "insufficient_balance",
    "signature",
    "failed_to_parse_signature",
    "scheme",
    "network_mismatch",
    "missing_eip712_domain",
    "recipient_mismatch",
    "authorization_value",
    "payload_authorization_value",
    "payload_authorization_value_mismatch",
    "payload_authorization_valid_after",
    "payload_authorization_valid_before",
    "payload_signature",
    "payload_recipient_mismatch",
    "transaction_simulation_failed",
    "token_name_mismatch",
    "token_version_mismatch",
    "eip3009_not_supported",
  ].map((reason) => `invalid_exact_evm_${reason}`),
]);

/** A remote facilitator, called with the official HTTP client. Silence is never counted as an answer. */
export function createRemoteFacilitator(
  url: string,
  { verifyMs, settleMs }: RemoteTimeouts = DEFAULT_TIMEOUTS,
): Facilitator {
  // The client's own limit also ends the request; ours holds however the client spends the time.
  const verifier = new HTTPFacilitatorClient({ url, timeoutMs: verifyMs });
  const settler = new HTTPFacilitatorClient({ url, timeoutMs: settleMs });
  const breaker = createCircuitBreaker({ now: Date.now });

  /** Times out, and counts silence: after a few in a row, calls fail at once instead of waiting. */
  async function ask<T>(timeoutMs: number, request: () => Promise<T>): Promise<T> {
    try {
      const answer = await within(timeoutMs, request());
      breaker.succeed();
      return answer;
    } catch (error) {
      // A refusal with a reason is an answer; only silence and garbage count against it.
      if (error instanceof VerifyError || error instanceof SettleError) breaker.succeed();
      else breaker.fail();
      throw error;
    }
  }

  return {
    description: new URL(url).host,
    isTrusted: false,
    async verify(payload, requirements): Promise<VerifyOutcome> {
      if (!breaker.tryEnter()) return { status: "unavailable", reason: NOT_ANSWERING };
      try {
        const answer = await ask(verifyMs, () => verifier.verify(...asX402(payload, requirements)));
        if (answer.isValid === true) return { status: "valid" };
        return refused(answer.invalidReason);
      } catch (error) {
        if (error instanceof VerifyError) return refused(error.invalidReason);
        return { status: "unavailable", reason: plainReason(error) };
      }
    },
    async settle(payload, requirements): Promise<SettleOutcome> {
      if (!breaker.tryEnter()) return { status: "not_sent", reason: NOT_ANSWERING };
      try {
        const answer = await ask(settleMs, () => settler.settle(...asX402(payload, requirements)));
        if (answer.success === true && /^0x[0-9a-fA-F]{64}$/.test(answer.transaction)) {
          return { status: "settled", transaction: answer.transaction.toLowerCase() };
        }
        return notSettled(answer.errorReason, answer.transaction);
      } catch (error) {
        if (error instanceof SettleError) return notSettled(error.errorReason, error.transaction);
        return { status: "unknown", reason: plainReason(error) };
      }
    },
    async verifyReady() {
      const { kinds } = await within(verifyMs, verifier.getSupported());
      if (!kinds.some((kind) => kind.scheme === "exact" && kind.network === NETWORK)) {
        throw new Error(`the facilitator does not settle exact payments on ${NETWORK}`);
      }
      return "facilitator answers";
    },
    close: async () => {},
  };
}

function refused(reason = "no reason given"): VerifyOutcome {
  return { status: "refused", reason: plainReason(reason), authorizationUsed: USED.test(reason) };
}

function notSettled(reason = "no reason given", transaction: string | undefined): SettleOutcome {
  const isCertain = !transaction && CERTAIN_FAILURES.has(reason);
  return { status: isCertain ? "failed" : "unknown", reason: plainReason(reason) };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Our schema is the stricter one; the official types differ from it only in template-literal strings. */
function asX402(payload: PaymentPayload, requirements: PaymentRequirements): [X402Payload, X402Requirements] {
  return [payload as unknown as X402Payload, requirements as unknown as X402Requirements];
}
