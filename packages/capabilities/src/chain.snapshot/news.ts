import { formatGwei, formatMoment, roundTo } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { capital, line } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";

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
          ...describeFees(findings.at("fees")),
        ],
      },
    ],
  };
};

/** Speeds that cost the same are one line. */
function describeFees(fees: Found): Line[] {
  const named = new Map<string, string[]>();
  for (const [name, fee] of fees.entries()) {
    const [most, tip] = [fee.at("maxFeePerGas").whole(), fee.at("maxPriorityFeePerGas").whole()];
    if (most === undefined || tip === undefined) continue;
    const text = `${formatGwei(most)}, with a tip of ${formatGwei(tip)}`;
    named.set(text, [...(named.get(text) ?? []), name]);
  }
  return [...named].flatMap(([text, names]) => line(capital(names.join(", ")), text));
}
