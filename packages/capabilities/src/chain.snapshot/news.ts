import { formatGwei, formatMoment, roundTo } from "../shared/news/formatAmount.js";
import { capital, line } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** The newest block and what a transaction costs in it. */
export const writeNews: WriteNews = ({ findings }) => {
  const number = findings.at("blockNumber").whole();
  const [ageMs, timestamp] = [findings.at("ageMs").number(), findings.at("timestamp").number()];
  const base = findings.at("baseFeePerGas").whole();
  const standard = findings.at("fees", "standard", "maxFeePerGas").whole();
  const age = ageMs === undefined ? undefined : `${(ageMs / 1_000).toFixed(1)} s`;
  return {
    headline:
      number === undefined || standard === undefined
        ? undefined
        : `Block ${number}${age === undefined ? "" : ` is ${age} old`}, and gas costs ${formatGwei(roundTo(standard, 3))} now.`,
    sections: [
      {
        title: "The block",
        lines: [
          ...line("Number", number?.toString()),
          ...line("Age when it was read", age),
          ...line("Time", timestamp === undefined ? undefined : formatMoment(timestamp)),
          ...line("Hash", findings.at("blockHash").text()),
        ],
      },
      {
        title: "Most to pay for a unit of gas",
        lines: [
          ...line("Base fee", base === undefined ? undefined : formatGwei(base)),
          ...findings
            .at("fees")
            .entries()
            .flatMap(([name, fee]) => {
              const [most, tip] = [fee.at("maxFeePerGas").whole(), fee.at("maxPriorityFeePerGas").whole()];
              if (most === undefined || tip === undefined) return [];
              return line(capital(name), `${formatGwei(most)}, with a tip of ${formatGwei(tip)}`);
            }),
        ],
      },
    ],
  };
};
