import { AssayClientError } from "../assayClientError.js";
import type { VerificationStep } from "../verification.js";

/** What `--json` reports of an answer beside the sentence for people. */
interface AnswerFacts {
  readonly receiptUrl: string;
  /** Where the answer was written; undefined when it could not be. */
  readonly answerFile: string | undefined;
  /** The steps of its verification that failed. */
  readonly steps?: readonly Pick<VerificationStep, "name" | "detail">[];
}

/** An answer that is paid for and cannot be shown as one: it does not verify, or standard output cannot be written. */
export class AnswerFailure extends AssayClientError {
  override readonly name = "AnswerFailure";
  override readonly code: "not_verified" | "output_failed";
  /** A second call would pay a second time. */
  override readonly retryable = false;
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
