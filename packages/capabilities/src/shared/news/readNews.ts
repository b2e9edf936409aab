import type { CapabilityResult, Hex, Verdict } from "@assay/protocol";
import { splitProofNote } from "../proofs/proofNote.js";
import type { Reasons } from "../verdict/reasons.js";
import { groupDigits } from "./formatAmount.js";
import { openFound } from "./found.js";
import type { Line, News, WeighedReason, WriteNews } from "./news.js";
import { openTokenBook } from "./tokenBook.js";

type Stated = Pick<CapabilityResult, "verdict" | "result">;

const WEIGHTS = ["block", "review", "allow"] as const satisfies readonly Verdict[];

/** Characters of a headline; what follows is detail. */
const LONGEST_HEADLINE = 200;

/** The news of an answer: what its capability says, and else what its summary and its heaviest reasons say. */
export function readNews({ verdict, result }: Stated, reasons: Reasons, write: WriteNews = () => ({})): News {
  const evidence = openFound(result.evidence);
  const [findings, input] = [evidence.at("findings"), evidence.at("input")];
  const { words, note } = splitProofNote(result.summary);
  const lead = readLead(words, result.reasonCodes, reasons);
  const tokens = openTokenBook(evidence.at("readings"));
  const own = write({ verdict, result, input, findings, evidence, tokens, lead });
  const weighed = weigh(result.reasonCodes, reasons);
  const heaviest = weighed.find(
    (reason) => reason.verdict === verdict && Object.hasOwn(reasons, reason.code),
  );
  // What is said where nothing speaks against it is said nowhere else.
  const chosen = verdict === "allow" ? (own.headline ?? lead) : (own.warning ?? heaviest?.sentence ?? lead);
  const [first, rest] = splitSentences(
    plainFigures(chosen === "" ? withoutSubject(words, result.reasonCodes, reasons) : chosen),
  );
  return {
    headline: first,
    detail: [rest, own.detail ?? "", note].filter((text) => text !== "").join(" "),
    changes: (own.changes ?? []).map(withPlainFigures),
    powers: joinByHolder(own.powers ?? []).map(withPlainFigures),
    sections: (own.sections ?? [])
      .filter(({ lines }) => lines.length > 0)
      .map((section) => ({
        ...section,
        lines: section.lines.map(withPlainFigures),
      })),
    reasons: weighed,
    // An approval rests on what was read, and ends with it.
    isTimeless: verdict !== "allow" && own.isFromBytes === true,
    names: new Map([...listNames(findings), ...(own.names ?? []).map(toEntry)]),
  };
}

/** What this client does not know, because an older or a newer rule gave it, is at least a doubt. */
function weigh(codes: readonly string[], reasons: Reasons): WeighedReason[] {
  const weighed = codes.map((code) => ({
    code,
    ...((Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? {
      verdict: "review" as const,
      sentence: "A reason of another version of the rule, which this program has no words for.",
    }),
  }));
  return WEIGHTS.flatMap((verdict) => weighed.filter((reason) => reason.verdict === verdict));
}

const toEntry = ([address, name]: readonly [Hex, string]) => [address.toLowerCase(), name] as const;

/** What a summary says before the sentences of its reasons, without the subject that some begin with. */
function readLead(summary: string, codes: readonly string[], reasons: Reasons): string {
  const places = placesOf(summary, codes, reasons);
  const before = summary.slice(0, Math.min(summary.length, ...places)).trim();
  return before.endsWith(":") ? "" : before;
}

/** A summary from its first reason on: whose it is stands elsewhere. */
function withoutSubject(summary: string, codes: readonly string[], reasons: Reasons): string {
  const places = placesOf(summary, codes, reasons);
  return places.length === 0 ? summary : summary.slice(Math.min(...places));
}

/** Where the sentences of reasons begin in a summary. */
const placesOf = (summary: string, codes: readonly string[], reasons: Reasons): number[] =>
  codes
    .map((code) => (Object.hasOwn(reasons, code) ? summary.indexOf(reasons[code]?.sentence ?? "\n") : -1))
    .filter((place) => place >= 0);

/** Moments to the minute, and amounts in groups of three digits: a rule writes both for programs. */
const plainFigures = (text: string): string =>
  text
    .replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z/g, "$1 $2 UTC")
    .replace(
      /(?<![\w.,])\d{5,}(?=(?:\.\d+)? (?:[a-z]{0,3}[A-Z]{2,}[A-Za-z]*\b|units of ))|(?<=\$)\d{4,}/g,
      groupDigits,
    );

const withPlainFigures = <T extends Line>(line: T): T => ({ ...line, text: plainFigures(line.text) });

/** A holder of several powers stands there once: "can freeze what you hold, stop all transfers". */
function joinByHolder(powers: readonly Line[]): Line[] {
  const held = new Map<string, Line>();
  for (const power of powers) {
    const known = held.get(power.name);
    const text = known ? `${known.text}, ${power.text.replace(/^can /, "")}` : power.text;
    held.set(power.name, { ...power, text });
  }
  return [...held.values()];
}

/** As many whole sentences as a headline holds, and the others. */
function splitSentences(text: string): [headline: string, rest: string] {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z0-9"“])/);
  let headline = sentences[0] ?? "";
  let taken = 1;
  for (const sentence of sentences.slice(1)) {
    if (headline.length + sentence.length > LONGEST_HEADLINE) break;
    headline += ` ${sentence}`;
    taken += 1;
  }
  return [headline, sentences.slice(taken).join(" ")];
}

/** Published names alone: what a contract calls itself is no name of it. */
function* listNames(findings: ReturnType<typeof openFound>): Generator<readonly [string, string]> {
  for (const parties of [
    findings.at("parties"),
    findings.at("effects", "parties"),
    findings.at("run", "effects", "parties"),
  ])
    for (const party of parties.list()) {
      const address = party.at("address").address();
      const name = party.at("name").text();
      const kind = party.at("kind").text();
      if (address === undefined) continue;
      if (kind === "own") yield [address.toLowerCase(), "your account"];
      else if (name !== undefined && kind === "known") yield [address.toLowerCase(), name];
    }
}
