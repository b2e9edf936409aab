import { line, spell } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** Where a stored answer comes from, and whether it still holds. */
export const writeNews: WriteNews = ({ findings, input }) => {
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
          ? `This answer of ${source} still holds, until block ${until}.`
          : `This answer of ${source} had ended, so its question was answered again.`,
    sections: [
      {
        title: "The stored answer",
        lines: [
          ...line("State", spell(findings.at("state").text()), isLive ? "good" : "warn"),
          ...line("Asked of", source),
          ...line("Version", findings.at("source", "capabilityVersion").text()),
          ...findings
            .at("input")
            .entries()
            .flatMap(([name, one]) => line(`Asked about: ${name}`, one.text() ?? one.number()?.toString())),
          ...line("Read at block", from?.toString()),
          ...line("Holds until block", until?.toString()),
          ...line("Holds until", findings.at("validity", "freshUntil").text()),
          ...line("Id", input.at("artifactId").text()),
        ],
      },
    ],
  };
};
