import type { PaymentErrorCode } from "@assay/protocol";
import type { Budget } from "./createBudget.js";
import {
  OtherAnswerError,
  PaymentOutcomeUnknownError,
  ProblemError,
  ServiceUnreachableError,
} from "./errors.js";
import { exchange, findRetryAfterSeconds, type HttpAnswer, TIMEOUT_MS, toError } from "./exchange.js";
import type { AnyPreparedPayment } from "./preparedPayment.js";
import { readRefusal } from "./readChallenge.js";
import { sleep } from "./sleep.js";

export interface SendOptions {
  /** How long to keep sending the same payment while its outcome is unknown. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True for a payment that was sent before with unknown outcome: then only an answer about that very payment is certain. */
  readonly wasSent?: boolean | undefined;
}

const DEADLINE_MS = 60_000;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Problems that say that the payment was not touched. */
const UNCHARGED: ReadonlySet<string> = new Set([
  "rate_limited",
  "facilitator_unavailable",
  "signer_unavailable",
  "chain_head_stale",
  "shutting_down",
]);
/** Problems of computing the answer, before any money moves. An immediate retry does not help. */
const UNANSWERABLE: ReadonlySet<string> = new Set(["web_page_unavailable"]);
const BUSY: PaymentErrorCode = "invalid_batch_settlement_evm_channel_busy";
/** Refusals that the service gives after it has found the payment. Others come before that and say nothing about earlier attempts. */
const CERTAIN_REFUSALS: ReadonlySet<string> = new Set([
  "payment_refused",
  "payment_failed",
  "authorization_expired",
  "quote_expired",
  "quote_used",
  "quote_credit_spent",
  "ticket_expired",
  "ticket_used",
]);

/**
 * Sends one signed payment until the service answers it. After a failure it sends the same payment again, which the service
 * charges once however often it arrives; it never signs a new one. Throws PaymentOutcomeUnknownError when it gives up and
 * money may have moved.
 */
export async function sendPayment<T>(
  fetch: typeof globalThis.fetch,
  prepared: AnyPreparedPayment,
  /** Reads what was bought. Throws when the answer is not the service's, or not to this payment. */
  read: (answer: HttpAnswer) => T,
  { deadlineMs = DEADLINE_MS, signal, wasSent = false }: SendOptions = {},
  budget?: Pick<Budget, "settle">,
): Promise<T> {
  signal?.throwIfAborted();
  const giveUpAtMs = Date.now() + deadlineMs;
  let mayBeCharged = wasSent;
  const toThrown = (cause: unknown) =>
    mayBeCharged ? new PaymentOutcomeUnknownError(prepared, cause) : cause;
  for (let attempt = 0; ; attempt++) {
    const timeoutMs = Math.min(TIMEOUT_MS, giveUpAtMs - Date.now());
    const outcome = await attemptOnce(fetch, prepared, read, timeoutMs, signal);
    if (outcome.status === "answered") {
      budget?.settle(prepared.authorizationNonce);
      return outcome.bought;
    }
    mayBeCharged = outcome.settlesDoubt ? false : mayBeCharged || outcome.mayBeCharged;
    if (outcome.status === "final") throw toThrown(outcome.error);
    const waitMs = outcome.waitMs ?? backoffMs(attempt);
    if (Date.now() + waitMs >= giveUpAtMs) throw toThrown(outcome.error);
    await sleep(waitMs, signal).catch((reason: unknown) => {
      throw toThrown(reason);
    });
  }
}

interface FailedAttempt {
  readonly status: "retry" | "final";
  readonly error: unknown;
  readonly mayBeCharged: boolean;
  /** True when the service found this payment and is certain that it charged nothing. */
  readonly settlesDoubt: boolean;
  readonly waitMs?: number | undefined;
}

type Attempt<T> = { readonly status: "answered"; readonly bought: T } | FailedAttempt;

async function attemptOnce<T>(
  fetch: typeof globalThis.fetch,
  prepared: AnyPreparedPayment,
  read: (answer: HttpAnswer) => T,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Attempt<T>> {
  let answer: HttpAnswer;
  try {
    answer = await exchange(fetch, prepared.request, {
      headers: { "PAYMENT-SIGNATURE": prepared.paymentSignature },
      ...{ signal, timeoutMs },
    });
  } catch (error) {
    const mayBeCharged = !(error instanceof ServiceUnreachableError) || error.mayHaveArrived;
    const stopped = signal?.aborted === true;
    return { status: stopped ? "final" : "retry", error, mayBeCharged, settlesDoubt: false };
  }
  if (answer.status === 402) return readFinal402(answer);
  if (answer.status === 200 || answer.status === 201) {
    try {
      return { status: "answered", bought: read(answer) };
    } catch (error) {
      // The service would give the same answer again; a proxy's page may be gone at the next attempt.
      const status = error instanceof OtherAnswerError ? "final" : "retry";
      return { status, error, mayBeCharged: true, settlesDoubt: false };
    }
  }
  const error = toError(answer);
  // Only the service knows what it charged; a proxy may answer in its place.
  const problem = error instanceof ProblemError ? error : undefined;
  if (problem && (!RETRIED.has(answer.status) || UNANSWERABLE.has(problem.code)))
    return { status: "final", error, mayBeCharged: false, settlesDoubt: false };
  const afterSeconds = findRetryAfterSeconds(answer);
  return {
    status: "retry",
    error,
    mayBeCharged: !(problem && UNCHARGED.has(problem.code)),
    settlesDoubt: false,
    // A Retry-After of 0 must not lead to requests without a pause.
    waitMs: afterSeconds === undefined ? undefined : Math.max(FIRST_WAIT_MS, afterSeconds * 1000),
  };
}

/** The service answers 402 only when it is certain; a 402 of a proxy is not certain of anything. */
function readFinal402(answer: HttpAnswer): FailedAttempt {
  try {
    const refusal = readRefusal(answer);
    return {
      // Another attempt of the same call holds its channel, and will answer both.
      status: refusal.code === BUSY ? "retry" : "final",
      error: refusal,
      mayBeCharged: false,
      settlesDoubt: CERTAIN_REFUSALS.has(refusal.code),
    };
  } catch (error) {
    return { status: "final", error, mayBeCharged: true, settlesDoubt: false };
  }
}

/** Doubles each time, with jitter so that many clients do not come back at the same moment. */
function backoffMs(attempt: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
}
