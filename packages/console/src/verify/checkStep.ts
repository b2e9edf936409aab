/** One thing that was checked, as every kind of check reports it. */
export interface CheckStep {
  readonly name: string;
  readonly ok: boolean;
  /** False when there was nothing to check; such a step vouches for nothing. */
  readonly checked: boolean;
  readonly detail: string;
}

/** What a check is going to look at, in order. */
export interface PlannedStep {
  readonly name: string;
  readonly title: string;
}

export const answerPlan: readonly PlannedStep[] = [
  { name: "shape", title: "Form" },
  { name: "block", title: "One block" },
  { name: "inputHash", title: "Hash of the input" },
  { name: "resultHash", title: "Hash of the result" },
  { name: "artifactId", title: "Hash of everything read" },
  { name: "signature", title: "Signature" },
  { name: "rule", title: "The rule, run again here" },
  { name: "stateProofs", title: "State proofs" },
  { name: "logInclusion", title: "Place in the log" },
];

export const receiptPlan: readonly PlannedStep[] = [
  { name: "shape", title: "Form" },
  { name: "price", title: "Amounts agree" },
  { name: "leaf", title: "Entry in the log" },
  { name: "logInclusion", title: "Path to a signed head" },
];

export const evidencePlan: readonly PlannedStep[] = [
  { name: "shape", title: "Form" },
  { name: "inputHash", title: "Hash of the input" },
  { name: "window", title: "Window and block" },
  { name: "signature", title: "Signature" },
];
