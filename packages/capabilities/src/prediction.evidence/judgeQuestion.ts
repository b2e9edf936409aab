import type { Hex } from "@assay/protocol";
import { findAgentInstructionInSight, keccak256 } from "@assay/protocol";
import { hexToBytes } from "viem";
import { hashText } from "../shared/page-text/checkClaim.js";
import { compareQuestion, findTextTitle, type QuestionMatch } from "./compareQuestion.js";
import type { QuestionRecord } from "./decodeQuestionRecord.js";
import type { OracleLink } from "./judgeCondition.js";
import { type ConditionPlan, findAskedId, hashQuestion } from "./planCondition.js";
import { quoteResolution, type ResolutionPassage } from "./quoteResolution.js";
import type { Judgement, PredictionCode, PredictionNote } from "./reasons.js";

/** The text whose hash is the question's id. */
export interface OracleText {
  readonly text: string;
  readonly sha256: string;
  /** keccak256 of its bytes, which is the question's id. */
  readonly keccak256: Hex;
  readonly passages: readonly ResolutionPassage[];
}

interface QuestionJudgement extends Judgement {
  readonly oracleText: OracleText | null;
}

/**
 * Judges whether the condition is about what was asked: the ids are equal, or an id commits to a text that is the
 * question.
 */
export function judgeQuestion(
  question: string,
  plan: ConditionPlan,
  link: OracleLink,
  record: QuestionRecord | null,
): QuestionJudgement {
  const oracleText = link === "verified" ? findBoundText(plan, record) : null;
  const notes: PredictionNote[] = [compare(question, plan, link, oracleText)];
  if (oracleText !== null && findAgentInstructionInSight(oracleText.text) !== null)
    notes.push({ code: "TEXT_ADDRESSES_AGENT" });
  if (oracleText !== null)
    notes.push({
      code: oracleText.passages.some(({ kinds }) => kinds.includes("resolution"))
        ? "RESOLUTION_TEXT_QUOTED"
        : "RESOLUTION_TEXT_MISSING",
    });
  const known =
    link === "verified"
      ? [`The question's id is ${plan.questionId}, which the condition's id commits to.`]
      : [];
  return { notes, known, oracleText };
}

function compare(
  question: string,
  plan: ConditionPlan,
  link: OracleLink,
  oracleText: OracleText | null,
): PredictionNote {
  const asked = findAskedId(question);
  if (asked !== null && asked === plan.conditionId) return { code: "QUESTION_ID_MATCHES" };
  const limitation =
    "Words are compared as they are written; the same question in other words is not recognised.";
  if (link !== "verified") return { code: "QUESTION_UNCONFIRMED" };
  if ((asked ?? hashQuestion(question)) === plan.questionId) return { code: "QUESTION_ID_MATCHES" };
  if (asked !== null) return { code: "QUESTION_OF_ANOTHER_MARKET" };
  if (oracleText === null) return { code: "QUESTION_UNCONFIRMED", limitation };
  const { text } = oracleText;
  return { code: CODES[compareQuestion(question, { headings: [findTextTitle(text)], text })], limitation };
}

const CODES = {
  heads: "QUESTION_IN_ORACLE_TEXT",
  within: "QUESTION_NOT_TITLE",
  absent: "QUESTION_NOT_FOUND",
} as const satisfies Record<QuestionMatch, PredictionCode>;

function findBoundText({ questionId }: ConditionPlan, record: QuestionRecord | null): OracleText | null {
  if (record === null || keccak256(record.text) !== questionId) return null;
  const text = new TextDecoder().decode(hexToBytes(record.text));
  return { text, sha256: hashText(text), keccak256: questionId, passages: quoteResolution(text) };
}
