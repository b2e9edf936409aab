import type { CapabilityResult } from "@assay/protocol";
import type { RequestOptions } from "./connect.js";
import type { Client } from "./createClient.js";
import type { GuardPolicy } from "./guardedSend.js";
import type { Judgement } from "./judge.js";
import type { GuardOf, SigningQuestion } from "./signingQuestion.js";
import { verifyAllowed } from "./verifyAllowed.js";

export interface AllowPolicy extends Pick<GuardPolicy, "acceptReview"> {
  /** A client with `signer`, and with `node` where one's own node is to confirm the judged block. */
  readonly assay: Pick<Client, "judge">;
}

/**
 * For wallets that sign by themselves: returns once the verdict is allow and confirmed, and otherwise throws GuardRefusedError.
 * Sign right afterwards, and exactly what was asked about. Prefer `guardedSend` and `guardedSign` where they fit: they also check
 * what was signed.
 *
 * @example
 * await requireAllow({ transaction: { from, to, data, value } }, { assay });
 * const hash = await wallet.send({ to, data, value });
 */
export async function requireAllow<const Q extends SigningQuestion>(
  question: Q,
  { assay, acceptReview }: AllowPolicy,
  options?: RequestOptions,
): Promise<Judgement<GuardOf<Q>>> {
  const judgement = await assay.judge(question, options);
  const answer: CapabilityResult = judgement.answer;
  await verifyAllowed(answer, acceptReview, "message" in question ? "message" : "transaction");
  await judgement.confirm(options);
  return judgement;
}
