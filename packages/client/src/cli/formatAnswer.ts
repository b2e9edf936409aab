import type { News } from "@assay/capabilities/loadNews";
import type { CapabilityResult, Verdict } from "@assay/protocol";
import { cacheWords } from "@assay/protocol/cacheWords";
import type { PaidAnswer } from "../paidAnswer.js";
import type { SentVoucher } from "../preparedPayment.js";
import { alignRows, formatDuration, formatUsd, type Paint, printable } from "./text.js";

const colours = { allow: "green", review: "yellow", block: "red" } as const satisfies Record<Verdict, string>;

/** Whether an answer still holds; where it does not, the head or the moment that shows it. */
export type Window =
  | { readonly state: "open" | "unknown" }
  | { readonly state: "ended"; readonly headBlock: number }
  | { readonly state: "ended"; readonly endMs: number };

/** What is printed of an answer. */
export interface Printed {
  readonly paid: PaidAnswer;
  readonly news: News;
  readonly window: Window;
  readonly paidBy: string;
}

/** A paid answer with all that it says: its news first, then why, every figure, what was read, and for how long. */
export function formatAnswer(printed: Printed, paint: Paint): string {
  const { paid, news, window } = printed;
  const { answer } = paid;
  const { result } = answer;
  const lines = [
    ...describeHead(answer, news, window, paint, (text) => text),
    "",
    paint("bold", "Reasons"),
    ...alignRows(news.reasons.map(({ code, sentence }) => [code, sentence])),
    ...[
      { title: "Moves", lines: news.changes },
      { title: "Power over it", lines: news.powers },
      ...news.sections,
    ].flatMap(({ title, lines }) =>
      lines.length === 0
        ? []
        : ["", paint("bold", title), ...alignRows(lines.map(({ name, text }) => [name, text]))],
    ),
    "",
    paint("bold", "Summary"),
    `  ${printable(result.summary)}`,
    "",
    paint("bold", "Read"),
    ...alignRows(describeReading(answer)),
    "",
    paint("bold", "Findings"),
    ...describeFindings(result.evidence.findings),
    "",
    paint("bold", "Limitations"),
    ...result.limitations.map((limitation) => `  - ${printable(limitation)}`),
    "",
    paint("bold", "Answer"),
    ...describePayment(printed),
  ];
  return `${lines.join("\n")}\n`;
}

/** Verdict, capability and news. */
export function describeHead(
  answer: CapabilityResult,
  { headline, detail }: News,
  window: Window,
  paint: Paint,
  say: (text: string) => string,
): string[] {
  return [
    `${describeVerdict(answer, window, paint)}  ${answer.capabilityId}`,
    paint("bold", printable(say(headline))),
    ...(detail === "" ? [] : [printable(say(detail))]),
  ];
}

export function describePayment({
  paid: { answer, settlement, voucher },
  window,
  paidBy,
}: Printed): string[] {
  return alignRows([
    ["valid", describeWindow(answer, window)],
    ["price", describePrice(answer)],
    ["paid by", paidBy],
    voucher
      ? ["voucher", describeVoucher(voucher)]
      : ["transaction", settlement?.transaction ?? "not stated"],
    ["receipt", answer.receiptUrl],
  ]);
}

function describeVoucher({ channelId, maxClaimableAmount, deposit }: SentVoucher): string {
  const added = deposit === undefined ? "" : `, after a deposit of ${formatUsd(Number(deposit) / 1e6)}`;
  return `${formatUsd(Number(maxClaimableAmount) / 1e6)} in all from channel ${channelId}${added}`;
}

function describeReading({ result, evidenceReference }: CapabilityResult): [string, string][] {
  const { block } = result.evidence;
  const timestamp =
    typeof block === "object" && block !== null && "timestamp" in block
      ? Number(block.timestamp)
      : Number.NaN;
  return [
    ["block", String(result.computedAtBlock)],
    ["hash", evidenceReference.blockHash],
    ...(Number.isFinite(timestamp)
      ? [["time", new Date(timestamp * 1000).toISOString()] as [string, string]]
      : []),
  ];
}

/** More lines than this are not readable on a screen. */
const MAX_FINDINGS = 64;

function describeFindings(findings: unknown): string[] {
  const rows = flatten(findings);
  if (rows.length <= MAX_FINDINGS) return alignRows(rows);
  // The first entry of a list stands for the others.
  const shown = rows.filter(([path]) => !/\.[1-9][0-9]*(\.|$)/.test(path)).slice(0, MAX_FINDINGS);
  const left = rows.length - shown.length;
  return [...alignRows(shown), `  … and ${left} more lines: --json prints them all, --save keeps them.`];
}

/** Nested findings as one line each, named by their path. */
function flatten(value: unknown, path = ""): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return [[path, value.length > 0 ? value.join(", ") : "none"]];
  }
  if (typeof value !== "object" || value === null) return [[path, value === null ? "-" : String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, path ? `${path}.${name}` : name));
}

/** An allow that has ended, or may have ended, must not be shown as one that holds. */
function describeVerdict({ verdict }: CapabilityResult, { state }: Window, paint: Paint): string {
  const word = verdict.toUpperCase();
  if (state === "open") return paint(["bold", colours[verdict]], word);
  const colour = verdict === "allow" ? colours.review : colours[verdict];
  return paint(["bold", colour], `${state === "ended" ? "ENDED" : "UNDATED"} (${word})`);
}

export function describeWindow({ result, nextCall }: CapabilityResult, window: Window): string {
  const { validUntilBlock } = result;
  if (window.state === "ended")
    return "endMs" in window
      ? `${describeEnd(window.endMs)}: ask again`
      : `ended at block ${validUntilBlock}; the chain is at ${window.headBlock}: ask again`;
  if (window.state === "unknown")
    return `holds until block ${validUntilBlock}; the chain's head is not known: ask again`;
  const seconds = nextCall?.validForSeconds;
  const about = typeof seconds === "number" ? `, about ${formatDuration(seconds)}` : "";
  return `until block ${validUntilBlock}${about}`;
}

/** A clock may be wrong, so the sentence names it. */
export const describeEnd = (endMs: number) =>
  `ended by ${new Date(endMs).toISOString()} at the latest, by this machine's clock`;

function describePrice({ pricing }: CapabilityResult): string {
  const { pricePaidUsd, listPriceUsd, creditAppliedUsd, quotedCacheStatus, actualCacheStatus } = pricing;
  const credit =
    creditAppliedUsd > 0
      ? `, list ${formatUsd(listPriceUsd)} less credit ${formatUsd(creditAppliedUsd)}`
      : "";
  const quoted =
    actualCacheStatus === quotedCacheStatus ? "" : `, priced as one ${cacheWords[quotedCacheStatus]}`;
  return `${formatUsd(pricePaidUsd)} paid (${cacheWords[actualCacheStatus]}${quoted}${credit})`;
}
