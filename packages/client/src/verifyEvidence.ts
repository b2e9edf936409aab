import { checkEvidence } from "./checkEvidence.js";
import type { VerifyOptions } from "./checkResult.js";
import type { Verification } from "./verification.js";
import { verifyChecked } from "./verifyChecked.js";

/** Throws VerificationError unless every step of `checkEvidence` passes or has nothing to check. */
export const verifyEvidence = (
  value: unknown,
  options?: Pick<VerifyOptions, "signer">,
): Promise<Verification> => verifyChecked("evidence reference", checkEvidence(value, options));
