import type { Verdict } from "@assay/protocol";
import type { Conclusion } from "../verification.js";

export const verdictCodes: Record<Verdict, number> = { allow: 0, review: 10, block: 20 };

export const failureCodes = {
  other: 1,
  /** The command line, a file it names, or the input is wrong: a retry does not help. */
  usage: 2,
  unreachable: 3,
  /** Nothing was charged: the payment was refused, or never signed. */
  notPaid: 4,
  /** It is not known whether a payment was charged: `assay resume`. */
  outcomeUnknown: 5,
  /** `assay verify` was not given a signer, so the file vouches for itself only. */
  selfConsistent: 6,
} as const;

export const verifyCodes: Record<Conclusion, number> = {
  verified: 0,
  self_consistent: failureCodes.selfConsistent,
  failed: failureCodes.other,
};

/** The end of every command's line about exit codes. */
export const OTHER_CODES = "1 to 5 an error (assay --help)";

export const exitCodeRemarks = `Exit codes: 0 allow (or done), 10 review, 20 block.
An allow whose window has ended, or may have ended, is 10. An answer that does not verify is 1, whatever its verdict.
assay verify: 0 verified, whatever the verdict, 1 a step failed, 6 self-consistent, but no signer to expect was given.
About claims: 0 it holds (or done), 20 falsified or contradicted, 10 could not be decided.
Errors: 1 any other error, 2 the command line or the input is wrong, 3 no service answers, 4 not paid: refused or above
the limit, and nothing was charged, 5 not known whether a payment was charged: assay resume.
With --json, stdout is one JSON value in every case: the answer, or {"error":{"code","detail","exitCode",…}}.`;
