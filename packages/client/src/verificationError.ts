import { AssayClientError } from "./assayClientError.js";
import type { VerificationStep } from "./verification.js";

/** A step of a verification failed: do not rely on what was verified. `steps` has every step, also those that passed. */
export class VerificationError extends AssayClientError {
  override readonly name = "VerificationError";
  override readonly code = "not_verified";
  override readonly retryable = false;
  readonly steps: readonly VerificationStep[];

  constructor(what: string, steps: readonly VerificationStep[]) {
    const failed = steps.filter(({ ok }) => !ok);
    const names = failed.map(({ name }) => name).join(", ");
    const details = failed.map(({ name, detail }) => `${name}: ${detail}`).join(" ");
    super(`The ${what} does not verify: ${names} failed. Do not rely on it. ${details}`);
    this.steps = steps;
  }
}
