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
  /** True for a payment sent earlier whose outcome is unknown: only the service's word on it ends the doubt. */
  readonly wasSent?: boolean | undefined;
}

const DEADLINE_MS = 60_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Answers that say the payment was left alone. */
const UNCHARGED: ReadonlySet<string> = new Set([
  "rate_limited",
  "facilitator_unavailable",
  "chain_head_stale",
  "shutting_down",
]);
/** Given while a call is computed, before any money moves, and no better for being asked again at once. */
const UNANSWERABLE: ReadonlySet<string> = new Set(["web_page_unavailable"]);
/** Refusals given after looking the payment up. Others are given before, so they say nothing about an earlier attempt. */
const LOOKED_UP: ReadonlySet<string> = new Set([
  "payment_refused",
  "payment_failed",
  "authorization_expired",
  "quote_expired",
  "quote_used",
  "quote_credit_spent",
  "ticket_expired",
]);

/**
 * Sends one signed payment until the service answers for it. Trouble is met by sending the very
 * same payment again, which the service answers once however often it arrives; a new one is never
 * signed here. Gives up with PaymentOutcomeUnknownError when money may have moved.
 */
export async function sendPayment<T>(
  fetch: typeof globalThis.fetch,
  prepared: AnyPreparedPayment,
  /** Makes of an answer what was bought, or throws: then it was not the service that answered, or not to this. */
  read: (answer: HttpAnswer) => T,
  { deadlineMs = DEADLINE_MS, signal, wasSent = false }: SendOptions = {},
  budget?: Pick<Budget, "settle">,
): Promise<T> {
  signal?.throwIfAborted();
  const giveUpAtMs = Date.now() + deadlineMs;
  let mayBeCharged = wasSent;
  const give = (cause: unknown) => (mayBeCharged ? new PaymentOutcomeUnknownError(prepared, cause) : cause);
  for (let attempt = 0; ; attempt++) {
    const timeoutMs = Math.min(TIMEOUT_MS, giveUpAtMs - Date.now());
    const outcome = await attemptOnce(fetch, prepared, read, timeoutMs, signal);
    if (outcome.status === "answered") {
      budget?.settle(prepared.authorizationNonce);
      return outcome.bought;
    }
    mayBeCharged = outcome.settlesDoubt ? false : mayBeCharged || outcome.mayBeCharged;
    if (outcome.status === "final") throw give(outcome.error);
    const waitMs = outcome.waitMs ?? backoffMs(attempt);
    if (Date.now() + waitMs >= giveUpAtMs) throw give(outcome.error);
    await sleep(waitMs, signal).catch((reason: unknown) => {
      throw give(reason);
    });
  }
}

interface Trouble {
  readonly status: "retry" | "final";
  readonly error: unknown;
  readonly mayBeCharged: boolean;
  /** True when the service looked this payment up and is certain it charged nothing. */
  readonly settlesDoubt: boolean;
  readonly waitMs?: number | undefined;
}

type Attempt<T> = { readonly status: "answered"; readonly bought: T } | Trouble;

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
      // The service would give the same answer again; anybody else's page may be gone a moment later.
      const status = error instanceof OtherAnswerError ? "final" : "retry";
      return { status, error, mayBeCharged: true, settlesDoubt: false };
    }
  }
  const error = toError(answer);
  // Only the service knows what it charged; a page of somebody in between may stand before its answer.
  const problem = error instanceof ProblemError ? error : undefined;
  if (problem && (!RETRIED.has(answer.status) || UNANSWERABLE.has(problem.code)))
    return { status: "final", error, mayBeCharged: false, settlesDoubt: false };
  const afterSeconds = findRetryAfterSeconds(answer);
  return {
    status: "retry",
    error,
    mayBeCharged: !(problem && UNCHARGED.has(problem.code)),
    settlesDoubt: false,
    // "At once" is no answer to trouble: a service that says so would be asked without end.
    waitMs: afterSeconds === undefined ? undefined : Math.max(FIRST_WAIT_MS, afterSeconds * 1000),
  };
}

/** The service answers 402 only when it is certain; a 402 of someone in between is certain of nothing. */
function readFinal402(answer: HttpAnswer): Trouble {
  try {
    const refusal = readRefusal(answer);
    return {
      status: "final",
      error: refusal,
      mayBeCharged: false,
      settlesDoubt: LOOKED_UP.has(refusal.code),
    };
  } catch (error) {
    return { status: "final", error, mayBeCharged: true, settlesDoubt: false };
  }
}

/** Doubling, with jitter so that many clients do not return at once. */
function backoffMs(attempt: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
}
