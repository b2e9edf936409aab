import { checkReceipt } from "./checkReceipt.js";
import type { VerifyOptions } from "./checkResult.js";
import type { Verification } from "./verification.js";
import { verifyChecked } from "./verifyChecked.js";

/** Throws VerificationError unless every step of `checkReceipt` passes or has nothing to check. */
export const verifyReceipt = (
  value: unknown,
  options?: Pick<VerifyOptions, "logKey">,
): Promise<Verification> => verifyChecked("receipt", checkReceipt(value, options));
