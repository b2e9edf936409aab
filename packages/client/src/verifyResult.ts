import { checkResult, type VerifyOptions } from "./checkResult.js";
import type { Verification } from "./verification.js";
import { verifyChecked } from "./verifyChecked.js";

/**
 * Throws VerificationError unless every step of `checkResult` passes or has nothing to check. Without `signer` the conclusion is
 * `self_consistent` and never `verified`.
 *
 * @example
 * await verifyResult(answer, { signer, question: { capabilityId: "contract.guard", input }, headBlock });
 */
export const verifyResult = (value: unknown, options?: VerifyOptions): Promise<Verification> =>
  verifyChecked("answer", checkResult(value, options));
