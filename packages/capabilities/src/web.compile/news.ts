import { formatMoment } from "../shared/news/formatAmount.js";
import { line, listSome, spell, yesNo } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

const momentOf = (text: string | undefined) =>
  text === undefined || Number.isNaN(Date.parse(text)) ? text : formatMoment(Date.parse(text) / 1_000);

/** What a page says, and to whom. */
export const writeNews: WriteNews = ({ findings, evidence }) => {
  const title = evidence.at("title").text();
  const parts = evidence.at("citations").list().length;
  const orders = evidence.at("orders").list().length;
  const size = findings.at("bytes", "length").number();
  const check = evidence.at("claimCheck");
  return {
    headline:
      title === undefined
        ? undefined
        : `“${title}”: ${parts} ${parts === 1 ? "part" : "parts"} of text, none of it written to command a machine.`,
    sections: [
      {
        title: "The page",
        lines: [
          ...line("Title", title),
          ...line("Address", findings.at("finalUrl").text()),
          ...line("Read at", momentOf(findings.at("fetchedAt").text())),
          ...line(
            "Kind",
            [findings.at("contentType").text(), spell(findings.at("extraction").text())]
              .filter(Boolean)
              .join(", ") || undefined,
          ),
          ...line("Language", evidence.at("language").text()),
          ...line("Size", size === undefined ? undefined : `${size} bytes`),
          ...line(
            "Cut short",
            yesNo(findings.at("isTruncated").flag()),
            findings.at("isTruncated").flag() ? "warn" : undefined,
          ),
          ...line("Commands to a machine", `${orders}`, orders > 0 ? "bad" : undefined),
          ...line(
            "Hidden texts",
            findings.at("hiddenTextCount").number()?.toString(),
            (findings.at("hiddenTextCount").number() ?? 0) > 0 ? "warn" : undefined,
          ),
          ...line(
            "Redirected through",
            listSome(
              findings
                .at("redirects")
                .list()
                .flatMap((one) => one.text() ?? []),
              3,
            ),
          ),
          ...line("Hash of the page", findings.at("bytes", "sha256").text()),
        ],
      },
      {
        title: "The claim",
        lines: [
          ...line("Asked", check.at("claim").text()),
          ...line("The page", spell(check.at("state").text() ?? check.at("result").text())),
        ],
      },
    ],
  };
};
