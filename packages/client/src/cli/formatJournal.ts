import type { JournalEntry } from "../proxy/journal.js";
import { alignRows, formatUsd, page, printable } from "./text.js";

/** One decision on a line; where it was not simply forwarded, with the reasons that decided. */
export function formatEntry(entry: JournalEntry): string {
  const { time, id, event, method, verdict, sender, to, rule, summary } = entry;
  const { reasons = [], decisive = [] } = entry;
  const who = sender === undefined ? "" : ` ${sender.slice(0, 10)}… → ${to ? `${to.slice(0, 10)}…` : "-"}`;
  const why = event === "forwarded" && rule?.startsWith("verdicts.") ? "" : ` ${rule ?? entry.refusal ?? ""}`;
  // Without an answer there are no reasons, and the sentence says what to repair.
  const said =
    reasons.length > 0
      ? (decisive.length > 0 ? decisive : reasons).slice(0, 6).join(" ")
      : (summary ?? "").slice(0, 200);
  const codes = event === "forwarded" ? "" : ` ${said}`;
  return `${printable(`${time.slice(0, 19)}Z ${id} ${event.padEnd(9)} ${(verdict ?? "-").padEnd(6)} ${method}${who}${why}${codes}`)}\n`;
}

export const formatEntries = (entries: readonly JournalEntry[]): string =>
  entries.length === 0 ? "Nothing was decided yet.\n" : entries.map(formatEntry).join("");

export function formatWholeEntry(entry: JournalEntry): string {
  const rows: [string, unknown][] = [
    ["decision", entry.by ? `${entry.event}, by a person` : entry.event],
    ["method", entry.method],
    ["verdict", entry.verdict ?? "none"],
    ["rule", entry.rule ?? entry.refusal ?? "-"],
    ["sender", entry.sender ?? "-"],
    ["to", entry.to ?? "-"],
    [
      "value",
      `${Number(entry.valueWei ?? 0) / 1e18} ether${entry.valueUsd ? `, ${formatUsd(entry.valueUsd)} in all` : ""}`,
    ],
    ["transaction", entry.transactionHash ?? "-"],
    ["reasons", entry.reasons?.join(", ") || "-"],
    ...(entry.answers ?? []).flatMap(({ receiptUrl, file, priceUsd, isRepeated }): [string, unknown][] => [
      ["receipt", receiptUrl],
      ["answer", `${file}, ${isRepeated ? "paid before" : formatUsd(priceUsd)}`],
    ]),
  ];
  return page([`${entry.id} at ${entry.time}`, ...alignRows(rows), `  ${printable(entry.summary ?? "")}`]);
}
