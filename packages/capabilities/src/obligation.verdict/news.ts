import { wordsFor } from "../shared/news/codeWords.js";
import { line, yesNo } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";
import { obligationReasons } from "./reasons.js";

const sentences: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(obligationReasons).map(([code, { sentence }]) => [code, sentence]),
);

const states: Readonly<Record<string, string>> = {
  open: "open to challenge",
  survived: "nobody disproved it in time",
  falsified: "disproved",
};

/** `upgradeToAndCall(address,bytes) of the contract`, `the admin in eip1967Admin`: the slot and the arguments tell people nothing. */
const tellPath = (by: string | undefined): string | undefined =>
  by
    ?.replace(/^the admin in \w+$/, "the account that may replace the code")
    .replace(/^(\w+)\([^)]*\) of /, "the function $1 of ");

/** Whether a promise about the chain is kept. */
export const writeNews: WriteNews = ({ findings, evidence, result }) => {
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
    warning:
      holds === false
        ? sentence
        : holds && address !== undefined && evidence.at("decisionGrade").flag() === false
          ? `The promise about ${address} is kept so far, but that is not enough to act on.`
          : undefined,
    sections: [
      {
        title: "The promise",
        lines: [
          ...line("Contract", address),
          ...line("Runs the code of", assertion.at("implementation").address()),
          ...line("From block", from?.toString()),
          ...line("To block", to?.toString()),
          ...line("Open to challenge until", evidence.at("recompute", "claim", "deadline").text()),
          ...line("State", wordsFor(states, findings.at("claimStatus")) ?? findings.at("claimStatus").text()),
          ...line("Could be broken by", tellPath(findings.at("upgradePath", "by").text())),
          ...line(
            "Enough to act on",
            yesNo(evidence.at("decisionGrade").flag()),
            evidence.at("decisionGrade").flag() ? "good" : "warn",
          ),
          ...line(
            "Because",
            evidence
              .at("decisionGradeReasons")
              .list()
              // A reason of the verdict stands among those.
              .filter((one) => !result.reasonCodes.includes(one.text() ?? ""))
              .flatMap((one) => wordsFor(sentences, one) ?? one.text() ?? [])
              .join(" ") || undefined,
          ),
          ...line("Challenges so far", evidence.at("challengesTotal").number()?.toString()),
        ],
      },
      {
        title: "Blocks that were read",
        isMinor: true,
        lines: blocks.flatMap((one) =>
          line(
            `Block ${one.at("block").whole() ?? "?"}`,
            one.at("state").text() === "holds" ? "as promised" : one.at("state").text(),
            one.at("state").text() === "holds" ? "good" : "bad",
          ),
        ),
      },
    ],
  };
};
