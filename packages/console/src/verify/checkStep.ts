/** One step that was checked, as every kind of check reports it. */
export interface CheckStep {
  readonly name: string;
  readonly ok: boolean;
  /** False when there was nothing to check; such a step vouches for nothing. */
  readonly checked: boolean;
  readonly detail: string;
}

/** One step of a check, before it is made. */
export interface PlannedStep {
  readonly name: string;
  readonly title: string;
  /** Whether it shows whose key vouches for the rest. Where it was not checked, nothing is shown as good. */
  readonly isVouching?: boolean | undefined;
}

/** The conclusion from all steps; `unvouched` where none failed, but no known key vouches for the whole. */
export type Finding = "passed" | "refused" | "unvouched";

export function conclude(plan: readonly PlannedStep[], steps: readonly CheckStep[]): Finding {
  if (steps.some(({ ok }) => !ok)) return "refused";
  const isChecked = (name: string) => steps.some((step) => step.name === name && step.checked);
  return plan.every(({ name, isVouching }) => !isVouching || isChecked(name)) ? "passed" : "unvouched";
}

export const answerPlan: readonly PlannedStep[] = [
  { name: "shape", title: "Form" },
  { name: "block", title: "One block" },
  { name: "inputHash", title: "Hash of the input" },
  { name: "resultHash", title: "Hash of the result" },
  { name: "artifactId", title: "Hash of everything read" },
  { name: "signature", title: "Signature", isVouching: true },
  { name: "rule", title: "The rule, run again here" },
  { name: "stateProofs", title: "State proofs" },
  { name: "logInclusion", title: "Place in the log" },
];

export const receiptPlan: readonly PlannedStep[] = [
  { name: "shape", title: "Form" },
  { name: "price", title: "Amounts agree" },
  { name: "leaf", title: "Entry in the log" },
  { name: "logInclusion", title: "Path to a signed head", isVouching: true },
];

export const evidencePlan: readonly PlannedStep[] = [
  { name: "shape", title: "Form" },
  { name: "inputHash", title: "Hash of the input" },
  { name: "window", title: "Window and block" },
  { name: "signature", title: "Signature", isVouching: true },
];

/** The same steps for a payment by voucher, whose signature is checked before its place in the log. */
export function addVoucher(plan: readonly PlannedStep[]): readonly PlannedStep[] {
  const place = plan.findIndex(({ name }) => name === "leaf" || name === "logInclusion");
  return plan.toSpliced(place, 0, { name: "voucher", title: "The payer's voucher" });
}
