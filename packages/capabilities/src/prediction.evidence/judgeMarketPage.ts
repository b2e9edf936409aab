import type { PageReadings } from "@assay/protocol";
import { judgePage } from "../shared/page-text/judgePage.js";
import type { PageCode as SharedPageCode } from "../shared/page-text/reasons.js";
import { unique } from "../shared/verdict/note.js";
import { compareQuestion, type QuestionMatch, splitTitle } from "./compareQuestion.js";
import { type PassageKind, quoteResolution, type ResolutionPassage } from "./quoteResolution.js";
import type { PredictionCode, PredictionNote } from "./reasons.js";

/** What a public page says about how a question is decided. The page itself is judged as web.compile judges it. */
export function judgeMarketPage(question: string, web: PageReadings) {
  const compiled = judgePage(undefined, web);
  const { title, text } = web.page;
  const passages = quoteResolution(text);
  const says = (kind: PassageKind) => passages.some(({ kinds }) => kinds.includes(kind));
  const headings = [...splitTitle(title ?? ""), ...listHeadings(web.page)];
  const match = compareQuestion(question, { headings, text });
  const codes: PredictionCode[] = [
    CODES[match],
    says("resolution") ? "RESOLUTION_TEXT_QUOTED" : "RESOLUTION_TEXT_MISSING",
    says("decider") ? "DECIDER_NAMED_ON_PAGE" : "DECIDER_UNKNOWN",
  ];
  const { pageText, hiddenText } = compiled.evidence;
  const notes: PredictionNote[] = [...compiled.reasonCodes, ...codes].map((code) => ({
    code: code as PageCode,
  }));
  return {
    notes,
    known: describePage(passages, match),
    passages,
    evidence: { title, pageText, hiddenText },
    findings: compiled.findings,
    limitations: [
      ...compiled.limitations,
      "Passages are found by English wording, and the question by its words as they are written.",
    ],
  };
}

const CODES = {
  heads: "QUESTION_ON_PAGE",
  within: "QUESTION_NOT_TITLE",
  absent: "QUESTION_NOT_FOUND",
} as const satisfies Record<QuestionMatch, PredictionCode>;

const listHeadings = ({ blocks, text }: PageReadings["page"]): string[] =>
  blocks.filter(({ markdown }) => /^#{1,6} /.test(markdown)).map(({ start, end }) => text.slice(start, end));

/** No claim is given, so no reason about one can come back. */
type PageCode = SharedPageCode | PredictionCode;

function describePage(passages: readonly ResolutionPassage[], match: QuestionMatch): string[] {
  const kinds = unique(passages.flatMap((passage) => passage.kinds));
  const quoted = `${passages.length} passages of the page are quoted, by wording about: ${kinds.join(", ")}.`;
  return [
    ...(match === "heads" ? ["The page is headed by the question's words."] : []),
    ...(passages.length > 0 ? [quoted] : []),
  ];
}
