import { formatMoment } from "../shared/news/formatAmount.js";
import { line, spell } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

const momentOf = (text: string | undefined) =>
  text === undefined ? undefined : formatMoment(Date.parse(text) / 1_000);

/** Where a stored answer comes from, and whether it still holds. */
export const writeNews: WriteNews = ({ verdict, findings, input }) => {
  const source = findings.at("source", "capabilityId").text();
  const isLive = findings.at("state").text() === "live";
  const [from, until] = [
    findings.at("validity", "validFromBlock").whole(),
    findings.at("validity", "validUntilBlock").whole(),
  ];
  return {
    headline:
      source === undefined
        ? undefined
        : isLive
          ? `The stored answer still holds, until ${momentOf(findings.at("validity", "freshUntil").text()) ?? `block ${until}`}.`
          : "The stored answer had ended, so its question was answered again.",
    // Where something speaks against it, the headline says that, and this says of which answer.
    detail:
      isLive || source === undefined || verdict === "allow"
        ? ""
        : "The stored answer had ended, so its question was answered again.",
    sections: [
      {
        title: "The stored answer",
        lines: [
          ...line("State", isLive ? "still holds" : "ended, and answered again", isLive ? "good" : "warn"),
          ...line("Answer of", source),
          ...line("Version", findings.at("source", "capabilityVersion").text()),
          ...findings
            .at("input")
            .entries()
            .flatMap(([name, one]) =>
              line(`Asked with: ${spell(name)}`, one.text() ?? one.number()?.toString()),
            ),
          ...line("Read at block", from?.toString()),
          ...line("Holds until block", until?.toString()),
          ...line("Holds until", findings.at("validity", "freshUntil").text()),
          ...line("Id", input.at("artifactId").text()),
        ],
      },
    ],
  };
};
