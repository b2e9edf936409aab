import { capital, line, spell } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** Who decides a market, and what is known of it. */
export const writeNews: WriteNews = ({ findings, evidence, input }) => {
  const deciders = evidence.at("decidedBy").list();
  const decider = deciders.at(-1)?.at("address").address();
  const denominator = findings.at("payoutDenominator").whole();
  const isReported = denominator === undefined ? undefined : denominator > 0n;
  const state = spell(findings.at("procedure", "state").text());
  return {
    headline:
      decider === undefined
        ? undefined
        : `${decider} decides this market${isReported === undefined ? "" : isReported ? ", and has reported" : "; nothing is reported yet"}.`,
    sections: [
      {
        title: "Who decides",
        lines: [
          ...deciders.flatMap((one) =>
            line(
              capital(spell(one.at("role").text()) ?? "decider"),
              one.at("address").address() ?? one.at("text").text(),
            ),
          ),
          ...line("How far it is", state),
          ...line(
            "Payouts",
            isReported === false
              ? "nothing reported"
              : findings
                  .at("payoutNumerators")
                  .list()
                  .map((one) => one.text())
                  .join(" : ") || undefined,
          ),
        ],
      },
      {
        title: "Known",
        lines: evidence
          .at("known")
          .list()
          .flatMap((one, place) => line(`${place + 1}`, one.text())),
      },
      {
        title: "Not known",
        lines: evidence
          .at("unknown")
          .list()
          .flatMap((one, place) => line(`${place + 1}`, one.text(), "warn")),
      },
      {
        title: "The question",
        isMinor: true,
        lines: [
          ...line("Asked", input.at("question").text()),
          ...line("Text of the oracle", evidence.at("resolutionText", "text").text()),
          ...line("Market", input.at("market").address() ?? input.at("market").text()),
          ...line("Collateral", findings.at("collateralToken").address()),
          ...line("Outcomes", findings.at("outcomeSlotCount").text()),
        ],
      },
    ],
  };
};
