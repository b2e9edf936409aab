import { hashText } from "../shared/page-text/checkClaim.js";
import { listSentences } from "../shared/page-text/listSentences.js";

export type PassageKind = "resolution" | "decider" | "source" | "deadline";

/** A sentence about how, by whom, by what or by when a question is decided. */
export interface ResolutionPassage {
  readonly kinds: readonly PassageKind[];
  /** Range in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly quoteHash: string;
}

const MAX_OF_A_KIND = 4;
const MAX_QUOTE_CHARACTERS = 600;

const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const DATE = new RegExp(
  `\\b(?:\\d{4}-\\d{2}-\\d{2}|(?:${MONTH})\\.? \\d{1,2}|\\d{1,2} (?:${MONTH})|20\\d{2}|\\d{1,2}:\\d{2}|midnight)\\b`,
);
const LIMIT =
  /\b(?:by|before|until|deadline|close[sd]?|closing|ends?|ending|expir(?:es|y)|no later than|between|through)\b/;

/** For an English sentence in lower case with single spaces. Wording alone decides; the reader judges what it means. */
const isOfKind: Readonly<Record<PassageKind, (sentence: string) => boolean>> = {
  resolution: (sentence) =>
    /\b(?:resolv(?:e[sd]?|ing)|resolutions?|settle[sd]?|settling|settlements?|pays? out|payouts?|redeem(?:s|ed|able)?)\b/.test(
      sentence,
    ),
  decider: (sentence) =>
    /\b(?:oracles?|arbitrat(?:ors?|ion)|uma|reality\.eth|kleros|chainlink|resolvers?|referees?|committees?|moderators?|(?:decided|determined|judged|resolved|settled|adjudicated) by|(?:sole|own) discretion|(?:final|binding) (?:decision|say))\b/.test(
      sentence,
    ),
  source: (sentence) =>
    /\b(?:resolution sources?|sources? of truth|according to|as (?:reported|published|stated|announced) by|based on (?:the )?(?:official|data|reports?|results?)|official (?:results?|data|sources?|announcements?|figures?))\b/.test(
      sentence,
    ),
  deadline: (sentence) => LIMIT.test(sentence) && DATE.test(sentence),
};
const kinds = Object.keys(isOfKind) as PassageKind[];

/** The first sentences of each kind, in the order of the text. */
export function quoteResolution(text: string): ResolutionPassage[] {
  const counts = new Map<PassageKind, number>();
  return listSentences(text).flatMap(({ text: said, start }) => {
    const plain = said.replaceAll(/\s+/g, " ").toLowerCase();
    const found = kinds.filter((kind) => isOfKind[kind](plain));
    if (!found.some((kind) => (counts.get(kind) ?? 0) < MAX_OF_A_KIND)) return [];
    for (const kind of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const end = start + Math.min(said.length, MAX_QUOTE_CHARACTERS);
    const quote = text.slice(start, end);
    return [{ kinds: found, start, end, quote, quoteHash: hashText(quote) }];
  });
}
