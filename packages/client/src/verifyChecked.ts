import type { Verification } from "./verification.js";
import { VerificationError } from "./verificationError.js";

/** Throws VerificationError when a step of the check failed; `what` names what was checked. */
export async function verifyChecked(what: string, check: Promise<Verification>): Promise<Verification> {
  const verification = await check;
  if (!verification.ok) throw new VerificationError(what, verification.steps);
  return verification;
}
