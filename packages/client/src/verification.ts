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

export interface Verification {
  /** True when no step failed. */
  readonly ok: boolean;
  readonly steps: readonly VerificationStep[];
}

export const toVerification = (steps: readonly VerificationStep[]): Verification => ({
  ok: steps.every(({ ok }) => ok),
  steps,
});

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
