import { line, yesNo } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** Whether a promise about the chain is kept. */
export const writeNews: WriteNews = ({ findings, evidence }) => {
  const assertion = evidence.at("recompute", "claim", "assertion");
  const [from, to] = [assertion.at("fromBlock").whole(), assertion.at("toBlock").whole()];
  const address = assertion.at("address").address();
  const blocks = findings.at("looks").list();
  const holds = findings.at("holds").flag();
  const sentence =
    holds === undefined || address === undefined
      ? undefined
      : holds
        ? `The promise about ${address} is kept at every block that was read.`
        : `The promise about ${address} is broken.`;
  return {
    headline: sentence,
    warning: holds === false ? sentence : undefined,
    sections: [
      {
        title: "The promise",
        lines: [
          ...line("Contract", address),
          ...line("Runs the code of", assertion.at("implementation").address()),
          ...line("From block", from?.toString()),
          ...line("To block", to?.toString()),
          ...line("Open to challenge until", evidence.at("recompute", "claim", "deadline").text()),
          ...line("State", findings.at("claimStatus").text()),
          ...line("Can be decided by", findings.at("upgradePath", "by").text()),
          ...line(
            "Good enough to decide by",
            yesNo(evidence.at("decisionGrade").flag()),
            evidence.at("decisionGrade").flag() ? "good" : "warn",
          ),
          ...line(
            "Because",
            evidence
              .at("decisionGradeReasons")
              .list()
              .flatMap((one) => one.text() ?? [])
              .join(" ") || undefined,
          ),
          ...line("Challenges so far", evidence.at("challengesTotal").number()?.toString()),
          ...line("Receipt", evidence.at("receiptUri").text()),
        ],
      },
      {
        title: "Read",
        isMinor: true,
        lines: blocks.flatMap((one) =>
          line(
            `Block ${one.at("block").whole() ?? "?"}`,
            one.at("state").text(),
            one.at("state").text() === "holds" ? "good" : "bad",
          ),
        ),
      },
    ],
  };
};
