import type { VerificationStep } from "../verification.js";

/** What programs are told of an answer beside the sentence for people. */
interface AnswerFacts {
  readonly receiptUrl: string;
  /** Where the answer was written; undefined when it could not be. */
  readonly answerFile: string | undefined;
  /** The steps of its verification that failed. */
  readonly steps?: readonly Pick<VerificationStep, "name" | "detail">[];
}

/** An answer that is paid for and not shown as one: it does not verify, or there is nowhere to print it. */
export class AnswerFailure extends Error {
  override readonly name = "AnswerFailure";
  readonly code: "not_verified" | "output_failed";
  /** For people, below the message. */
  readonly lines: readonly string[];
  readonly facts: AnswerFacts;

  constructor(code: AnswerFailure["code"], message: string, lines: readonly string[], facts: AnswerFacts) {
    super(message);
    this.code = code;
    this.lines = lines;
    this.facts = facts;
  }
}
