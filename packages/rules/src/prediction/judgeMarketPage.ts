import { evaluateWebCompile, type WebCompileCode } from "../evaluateWebCompile.js";
import { unique } from "../note.js";
import type { WebCompileReadings } from "../webCompileReadings.js";
import { holdsQuestion } from "./holdsQuestion.js";
import type { PredictionCode, PredictionNote } from "./predictionVerdicts.js";
import { type PassageKind, quoteResolution, type ResolutionPassage } from "./quoteResolution.js";

export interface PageJudgement {
  readonly notes: readonly PredictionNote[];
  readonly known: readonly string[];
  readonly passages: readonly ResolutionPassage[];
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly findings: Readonly<Record<string, unknown>>;
  readonly limitations: readonly string[];
}

/** What a public page says about how a question is decided. The page itself is judged as web.compile judges it. */
export function judgeMarketPage(question: string, url: string, web: WebCompileReadings): PageJudgement {
  const compiled = evaluateWebCompile({ url }, web);
  const { title, text } = web.page;
  const passages = quoteResolution(text);
  const says = (kind: PassageKind) => passages.some(({ kinds }) => kinds.includes(kind));
  const isAsked = holdsQuestion(question, title ?? "") || holdsQuestion(question, text);
  const codes: PredictionCode[] = [
    isAsked ? "QUESTION_ON_PAGE" : "QUESTION_NOT_FOUND",
    says("resolution") ? "RESOLUTION_TEXT_QUOTED" : "RESOLUTION_TEXT_MISSING",
    says("decider") ? "DECIDER_NAMED_ON_PAGE" : "DECIDER_UNKNOWN",
  ];
  const { pageText, hiddenText } = compiled.evidence ?? {};
  return {
    notes: [...compiled.reasonCodes, ...codes].map((code) => ({ code: code as PageCode })),
    known: tellPage(passages, isAsked),
    passages,
    evidence: { title, pageText, hiddenText },
    findings: compiled.findings,
    limitations: [
      ...compiled.limitations,
      "Passages are found by English wording, and the question by its words as they are written.",
    ],
  };
}

/** No claim is given, so that no reason about one comes back. */
type PageCode = Exclude<WebCompileCode, `CLAIM_${string}`> | PredictionCode;

function tellPage(passages: readonly ResolutionPassage[], isAsked: boolean): string[] {
  const kinds = unique(passages.flatMap((passage) => passage.kinds));
  const quoted = `${passages.length} passages of the page are quoted, by wording about: ${kinds.join(", ")}.`;
  return [
    ...(isAsked ? ["The page holds the question's words."] : []),
    ...(passages.length > 0 ? [quoted] : []),
  ];
}
