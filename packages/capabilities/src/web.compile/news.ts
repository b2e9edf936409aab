import { spellHiddenCharacters } from "@assay/protocol";
import { wordsFor } from "../shared/news/codeWords.js";
import { formatAmount, formatMoment } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line, listSome, yesNo } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";

const momentOf = (text: string | undefined) =>
  text === undefined || Number.isNaN(Date.parse(text)) ? text : formatMoment(Date.parse(text) / 1_000);

/** What a page says, and to whom. */
export const writeNews: WriteNews = ({ verdict, findings, evidence }) => {
  const title = evidence.at("title").text();
  const parts = evidence.at("citations").list().length;
  const hidden = evidence.at("hiddenText").list();
  const hiddenOrders = hidden.filter((one) => one.at("addressesAgent").text() !== undefined);
  const orders = evidence.at("orders").list();
  const count = hiddenOrders.length + orders.length;
  return {
    headline:
      title === undefined
        ? undefined
        : `“${quote(title, 120)}”: ${parts} ${parts === 1 ? "part" : "parts"} of text, none of it written to command a machine.`,
    warning: tellOrder(verdict, hiddenOrders, orders),
    sections: [
      {
        title: "Commands to a machine",
        lines: [
          ...hiddenOrders.flatMap((one) => tellText(`Hidden ${placeOf(one)}`, one.at("text"), "bad")),
          ...orders.flatMap((one) => tellText("In plain sight", one.at("quote"), "warn")),
        ],
      },
      { title: "The claim", lines: describeClaim(evidence.at("claimCheck")) },
      {
        title: "The page",
        lines: [
          ...line("Title", title),
          ...line("Address", findings.at("finalUrl").text()),
          ...line("Read at", momentOf(findings.at("fetchedAt").text())),
          ...line("Commands to a machine", count === 0 ? "none" : undefined, "good"),
          ...line("Hidden texts", findings.at("hiddenTextCount").number()?.toString()),
          ...describeBytes(findings),
          ...line("Language", evidence.at("language").text()),
          ...line(
            "Redirected through",
            listSome(
              findings
                .at("redirects")
                .list()
                .flatMap((one) => one.at("from").text() ?? []),
              3,
            ),
          ),
          ...line("Hash of the page", findings.at("bytes", "sha256").text()),
        ],
      },
      {
        title: "Other hidden texts",
        isMinor: true,
        lines: hidden
          .filter((one) => !hiddenOrders.includes(one))
          .flatMap((one) => tellText(`Hidden ${placeOf(one)}`, one.at("text"))),
      },
    ],
  };
};

/** Characters of a quotation in a headline, which ends before it would be cut at a sentence of the page's. */
const MOST_QUOTED = 118;

/** A stranger's words on one line, with nothing in them that a reader cannot see. */
function quote(text: string, most: number): string {
  const plain = spellHiddenCharacters(text.replace(/\s+/g, " ").trim());
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}

/** What decides is what the page wants a machine to do, in its own words. */
function tellOrder(verdict: string, hidden: readonly Found[], orders: readonly Found[]): string | undefined {
  const [secret, open] = [hidden[0]?.at("text").text(), orders[0]?.at("quote").text()];
  const more = hidden.length + orders.length - 1;
  const others = more > 0 ? ` And ${more} more.` : "";
  if (secret !== undefined)
    return verdict === "block"
      ? `The page gives machines a command that people cannot see: “${quote(secret, MOST_QUOTED)}”${others}`
      : `The page writes about such commands, and hides one: “${quote(secret, MOST_QUOTED)}”${others}`;
  return open === undefined
    ? undefined
    : `The page tells machines in plain sight: “${quote(open, MOST_QUOTED)}”${others}`;
}

const tellText = (name: string, found: Found, tone?: "warn" | "bad"): Line[] => {
  const text = found.text();
  return line(name, text === undefined ? undefined : `“${quote(text, 300)}”`, tone);
};

const places: Readonly<Record<string, string>> = {
  off_screen: "beside the screen",
  zero_size: "by a size of zero",
  same_colour: "in the colour of its ground",
  aria_hidden: "from screen readers",
  display_none: "by a style",
  covered: "under something else",
  invisible_characters: "in characters without a shape",
  comment_like: "in the page's source",
};

const placeOf = (one: Found): string => wordsFor(places, one.at("kind")) ?? "from people";

const extractions: Readonly<Record<string, string>> = {
  article: "its article",
  whole_body: "all of it",
  source: "the source, as it is",
  pdf: "the text of the PDF",
};

function describeBytes(findings: Found): Line[] {
  const [size, kind] = [findings.at("bytes", "length").number(), findings.at("contentType").text()];
  const isCut = findings.at("isTruncated").flag();
  return [
    ...line(
      "Size",
      size === undefined
        ? undefined
        : `${formatAmount(BigInt(Math.trunc(size)), 0)} bytes${kind ? ` of ${kind}` : ""}`,
    ),
    ...line("Taken from it", wordsFor(extractions, findings.at("extraction"))),
    ...line("Cut short", yesNo(isCut), isCut ? "warn" : undefined),
  ];
}

const results: Readonly<Record<string, readonly [words: string, tone: "good" | "warn"]>> = {
  supported: ["says it in the same words", "good"],
  contradicted_wording_absent: ["says nearly the same with another number or a negation", "warn"],
  not_found: ["does not say it in the same words", "warn"],
};

const relations: Readonly<Record<string, string>> = {
  supports: "Says it",
  contradicts: "Says otherwise",
  hedges: "Says it with a doubt",
  attributes: "Reports that somebody says it",
  nearest: "Comes nearest to it",
};

function describeClaim(check: Found): Line[] {
  const claim = check.at("claim").text();
  const [words, tone] = wordsFor(results, check.at("result")) ?? [];
  return [
    ...line("Asked whether it says", claim === undefined ? undefined : `“${quote(claim, 300)}”`),
    ...line("The page", words, tone),
    ...check
      .at("passages")
      .list()
      .flatMap((one) => tellText(wordsFor(relations, one.at("relation")) ?? "Beside it", one.at("quote"))),
  ];
}
