import type { CapabilityResult, Hex, Verdict } from "@assay/protocol";
import { isAddress } from "viem";
import type { ChainSource } from "./chain/askNode.js";
import { openChainNode } from "./chain/openChainNode.js";
import { checkResult } from "./checkResult.js";
import { confirmAtNode, confirmByClock } from "./confirmAnswer.js";
import type { RequestOptions } from "./connect.js";
import { describeFailure } from "./describeFailure.js";
import { findOtherQuestion } from "./findOtherQuestion.js";
import type { FollowSigner } from "./followKeys.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import type { CallUnverified, PaidAnswer } from "./paidAnswer.js";
import {
  type GuardOf,
  readSigningQuestion,
  type SigningGuard,
  type SigningQuestion,
} from "./signingQuestion.js";
import type { Verification } from "./verification.js";

export interface JudgePolicy {
  /** Asks and pays. Its account may be another than the one that will sign. */
  readonly assay: { readonly callUnverified: CallUnverified; readonly followSigner?: FollowSigner };
  /** The address the service is known to sign with; an answer of any other signer is refused. */
  readonly signer: Hex;
  /** A node of one's own, which `confirm` asks for the judged block and for the head. Without one the clock decides. */
  readonly node?: ChainSource | undefined;
  /** No guard above this price is bought; by default the client's own limit. */
  readonly maxPriceUsd?: number | undefined;
}

/** A verified verdict on what somebody wants to sign. */
export interface Judgement<Id extends SigningGuard = SigningGuard> {
  readonly verdict: Verdict;
  /** The decision contract. */
  readonly answer: PaidAnswer<Id>["answer"];
  /** The same with the bytes received and with what was paid. */
  readonly guard: PaidAnswer<Id>;
  readonly verification: Verification;
  /**
   * Call it right before signing. Throws GuardRefusedError when the judged block is not on the chain of the caller's node, or
   * when the time for which the answer holds has passed.
   */
  confirm(options?: RequestOptions): Promise<void>;
}

/**
 * Buys a verdict on a transaction or a message, for any wallet: it signs and sends nothing but the payment. Returns every
 * verdict; throws GuardRefusedError only when the answer does not verify or is to another question.
 *
 * @example
 * const { verdict, answer, confirm } = await judge({ transaction: { from, to, data } }, { assay, signer, node });
 * if (verdict !== "allow") throw new Error(answer.result.summary);
 * await confirm();
 */
export async function judge<const Q extends SigningQuestion>(
  question: Q,
  policy: JudgePolicy,
  { signal }: RequestOptions = {},
): Promise<Judgement<GuardOf<Q>>> {
  verifyPolicy(policy);
  const { id, input } = readSigningQuestion(question);
  signal?.throwIfAborted();
  // Before the payment: a node that does not answer, or of another chain, could confirm nothing.
  const node = policy.node === undefined ? undefined : await openChainNode(policy.node);
  const paid = await policy.assay.callUnverified(id, input as never, {
    maxPriceUsd: policy.maxPriceUsd,
    signal,
  });
  const guard = paid as PaidAnswer<GuardOf<Q>>;
  const answer: CapabilityResult = guard.answer;
  const what = "message" in question ? "message" : "transaction";
  const refuse = (refusal: GuardRefusedError["refusal"], detail: string) =>
    new GuardRefusedError(refusal, answer, detail, what);
  const { followSigner } = policy.assay;
  const stated = answer.evidenceReference?.signer ?? "";
  const signer = followSigner ? await followSigner(policy.signer, stated) : policy.signer;
  const verification = await checkResult(answer, { signer });
  if (!verification.ok) throw refuse("not_verified", describeFailure(verification));
  const other = findOtherQuestion(answer, id, input);
  if (other) throw refuse("other_transaction", other);
  return {
    verdict: answer.verdict,
    answer: guard.answer,
    guard,
    verification,
    async confirm(options = {}) {
      options.signal?.throwIfAborted();
      if (node) await confirmAtNode(node, answer, what, options.signal);
      confirmByClock(answer, what);
    },
  };
}

/** Throws InvalidArgumentError before anybody pays. */
export function verifyPolicy(policy: JudgePolicy): void {
  if (typeof policy?.assay?.callUnverified !== "function")
    throw new InvalidArgumentError("A verdict needs a policy with a client: give { assay, signer }.");
  if (!isAddress(policy.signer, { strict: false }))
    throw new InvalidArgumentError(
      "A verdict needs the address that the service is known to sign with: give signer.",
    );
}
