import type { CapabilityResult } from "@assay/protocol";
import { GuardRefusedError } from "./guardRefusedError.js";
import { listReasons, loadLevels } from "./loadLevels.js";

/** Throws GuardRefusedError, its heaviest reasons first, unless the verdict is allow or a review that the caller accepts. */
export async function verifyAllowed(
  answer: CapabilityResult,
  acceptReview: ((answer: CapabilityResult) => boolean | Promise<boolean>) | undefined,
  what: "transaction" | "message",
): Promise<void> {
  const { verdict, result } = answer;
  if (verdict === "allow" || (verdict === "review" && (await acceptReview?.(answer)) === true)) return;
  const reasons = listReasons(answer, await loadLevels([answer]));
  throw new GuardRefusedError(verdict, answer, result.summary, what, reasons);
}
