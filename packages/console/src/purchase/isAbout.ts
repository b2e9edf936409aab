import type { CapabilityId } from "@assay/client";
import { type CapabilityResult, inputHashOf } from "@assay/protocol";
import type { CheckedInput } from "../form/checkInput.js";

/** Whether an answer is one to what a form holds now. */
export const isAbout = (id: CapabilityId, answer: CapabilityResult, checked: CheckedInput): boolean =>
  checked.ok &&
  inputHashOf(id, answer.capabilityVersion, checked.normalized) === answer.evidenceReference.inputHash;

/** Whether what the form holds now has been answered. */
export const isAnswered = (
  id: CapabilityId,
  bought: { readonly answer: CapabilityResult } | undefined,
  checked: CheckedInput,
): boolean => bought !== undefined && isAbout(id, bought.answer, checked);
