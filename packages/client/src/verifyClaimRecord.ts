import type { ClaimDetail } from "@assay/protocol";
import { type ClaimRecordOptions, checkClaimRecord } from "./checkClaimRecord.js";
import type { Verification } from "./verification.js";
import { verifyChecked } from "./verifyChecked.js";

/** Throws VerificationError unless every step of `checkClaimRecord` passes or has nothing to check. */
export const verifyClaimRecord = (claim: ClaimDetail, options?: ClaimRecordOptions): Promise<Verification> =>
  verifyChecked("claim record", checkClaimRecord(claim, options));
