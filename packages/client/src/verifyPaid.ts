import type { CapabilityId } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import { checkResult, type Question } from "./checkResult.js";
import type { PaidAnswer, VerifiedAnswer } from "./paidAnswer.js";
import { leaveOut, toVerification, type Verification } from "./verification.js";
import { VerificationError } from "./verificationError.js";

/** Who must have signed: an address that the caller knows, or only what the service says of itself. */
export type ExpectedSigner =
  | { readonly known: Hex }
  /** Undefined when the service did not say. */
  | { readonly published: Hex | undefined };

/** Throws VerificationError, which holds what was paid for, unless every step passes or has nothing to check. */
export async function verifyPaid<Id extends CapabilityId>(
  paid: PaidAnswer<Id>,
  question: Question,
  expected: ExpectedSigner,
): Promise<VerifiedAnswer<Id>> {
  const signer = "known" in expected ? expected.known : expected.published;
  const checked = await checkResult(paid.answer, { signer, question });
  const verification = "known" in expected ? checked : withoutTrust(checked, paid.answer.evidenceReference);
  if (!verification.ok) throw new VerificationError("answer", verification.steps, paid);
  return { ...paid, verification };
}

/** A service that names its own key vouches for itself: an answer of that key is self-consistent, and no more. */
const withoutTrust = ({ steps }: Verification, { signer }: { readonly signer: string }) =>
  toVerification(
    steps.map((step) =>
      step.name === "signature" && step.ok && step.checked
        ? leaveOut(
            "signature",
            `signed by ${signer}, as the service itself states; no signer to expect was given.`,
          )
        : step,
    ),
  );
