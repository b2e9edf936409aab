import { AssayClientError } from "./assayClientError.js";
import type { PaidAnswer } from "./paidAnswer.js";
import type { VerificationStep } from "./verification.js";

/** A step of a verification failed: do not rely on what was verified. `steps` has every step, also those that passed. */
export class VerificationError extends AssayClientError {
  override readonly name = "VerificationError";
  override readonly code = "not_verified";
  override readonly retryable = false;
  readonly steps: readonly VerificationStep[];
  /** What `call` paid for: the answer, its bytes and what was paid. Undefined where nothing was bought. */
  readonly paid: PaidAnswer | undefined;

  constructor(what: string, steps: readonly VerificationStep[], paid?: PaidAnswer) {
    const failed = steps.filter(({ ok }) => !ok);
    const names = failed.map(({ name }) => name).join(", ");
    const details = failed.map(({ name, detail }) => `${name}: ${detail}`).join(" ");
    const kept =
      paid && ` It is paid for, and kept in this error; its receipt is at ${paid.answer.receiptUrl}`;
    super(`The ${what} does not verify: ${names} failed. Do not rely on it. ${details}${kept ?? ""}`);
    this.steps = steps;
    this.paid = paid;
  }
}
