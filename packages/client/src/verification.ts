/** What is checked: of an answer and of a receipt in this order, then what only a claim's record has. */
export type StepName =
  | "shape"
  | "question"
  | "block"
  | "window"
  | "inputHash"
  | "resultHash"
  | "artifactId"
  | "signature"
  | "rule"
  | "stateProofs"
  | "price"
  | "voucher"
  | "leaf"
  | "logInclusion"
  | "id"
  | "receipt"
  | "status";

export interface VerificationStep {
  readonly name: StepName;
  /** False when the step failed. */
  readonly ok: boolean;
  /** False when there was nothing to check; such a step does not fail, and vouches for nothing. */
  readonly checked: boolean;
  readonly detail: string;
}

/**
 * `verified`: no step failed, and the signer is the one that was expected. `self_consistent`: no step failed, but nobody said
 * who must have signed, so anybody may have written it. `failed`: a step failed.
 */
export type Conclusion = "verified" | "self_consistent" | "failed";

export interface Verification {
  /** True when no step failed. It says nothing about who signed: see `conclusion`. */
  readonly ok: boolean;
  readonly conclusion: Conclusion;
  readonly steps: readonly VerificationStep[];
}

export function toVerification(steps: readonly VerificationStep[]): Verification {
  const ok = steps.every((step) => step.ok);
  const isSignerOpen = steps.some(({ name, checked }) => name === "signature" && !checked);
  return { ok, conclusion: !ok ? "failed" : isSignerOpen ? "self_consistent" : "verified", steps };
}

export const pass = (name: StepName, detail: string): VerificationStep => ({
  name,
  ok: true,
  checked: true,
  detail,
});

export const fail = (name: StepName, detail: string): VerificationStep => ({
  name,
  ok: false,
  checked: true,
  detail,
});

export const leaveOut = (name: StepName, why: string): VerificationStep => ({
  name,
  ok: true,
  checked: false,
  detail: `Not checked: ${why}`,
});
