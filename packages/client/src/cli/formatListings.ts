import type { Catalog, Health, PortableEvidence, Quote, Receipt } from "@assay/protocol";
import { cacheWords } from "@assay/protocol/cacheWords";
import type { LogCheck } from "../checkLogHead.js";
import { alignRows, formatUsd, type Paint, page, printable } from "./text.js";

export function formatCatalog(catalog: Catalog, paint: Paint): string {
  const shown = catalog.capabilities.map(({ id, status, reuse, pricing, summary, input }) => {
    const prices = [pricing.cacheHitUsd, pricing.fingerprintHitUsd, pricing.cacheMissUsd];
    const isFlat = prices.every((price) => price === prices[0]);
    return {
      id: printable(id),
      price: isFlat ? formatUsd(pricing.cacheMissUsd) : prices.map(formatUsd).join(" / "),
      kind: `${reuse}${status === "candidate" ? ", candidate" : ""}`,
      lines: [printable(summary), `input: ${Object.keys(input).map(printable).join(", ") || "none"}`],
    };
  });
  const width = (of: (row: (typeof shown)[number]) => string) =>
    Math.max(0, ...shown.map((row) => of(row).length));
  const [idWidth, priceWidth] = [width(({ id }) => id), width(({ price }) => price)];
  return page([
    `${printable(catalog.product)} on ${printable(catalog.network)}: ${printable(catalog.value)}`,
    "",
    ...shown.flatMap(({ id, price, kind, lines }) => [
      `${paint("bold", id.padEnd(idWidth))}  ${price.padEnd(priceWidth)}  ${paint("dim", kind)}`,
      ...lines.map((line) => `  ${line}`),
    ]),
    "",
    "Prices: of an answer asked for just before / of one whose code is known / of a new one. Try: assay call <capability> --help",
  ]);
}

/** One line per step; failed steps stand out. */
export function formatSteps(
  steps: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[],
  ok: boolean,
  paint: Paint,
): string {
  const width = Math.max(0, ...steps.map(({ name }) => name.length));
  const failing = steps.filter((step) => !step.ok).map(({ name }) => name);
  return page([
    ...steps.map((step) => {
      const mark = step.ok ? paint("green", "ok  ") : paint(["bold", "red"], "FAIL");
      return `${mark}  ${printable(step.name).padEnd(width)}  ${printable(step.detail)}`;
    }),
    "",
    ok ? paint("green", "Every step passed.") : paint("red", `Failed: ${failing.join(", ")}.`),
  ]);
}

export function formatEvidence(evidence: PortableEvidence): string {
  return page([
    printable(evidence.artifactId),
    ...alignRows(
      Object.entries(evidence)
        .filter(([name]) => name !== "artifactId")
        .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : value] as const),
    ),
  ]);
}

export function formatLog({ ok, detail, head }: LogCheck, paint: Paint): string {
  return page([
    paint(["bold", ok ? "green" : "red"], ok ? "CONSISTENT" : "NOT CONSISTENT"),
    ...alignRows([
      ["log", detail],
      ...(head
        ? ([
            ["origin", head.origin],
            ["root", head.root],
          ] as const)
        : []),
    ]),
  ]);
}

export function formatQuote(quote: Quote, wallet: string): string {
  const credit =
    quote.creditAppliedUsd > 0
      ? `, list ${formatUsd(quote.listPriceUsd)} less credit ${formatUsd(quote.creditAppliedUsd)}`
      : "";
  return page([
    `${formatUsd(quote.priceUsd)} for ${printable(quote.capabilityId)} (${cacheWords[quote.cacheStatus]}${credit})`,
    ...alignRows([
      ["quote", quote.quoteId],
      ["for", wallet],
      ["expires", quote.expiresAt],
      ["invoke", `${quote.invokeMethod} ${quote.invokeUrl}`],
    ]),
  ]);
}

function describeCharge({ charged, pricing }: Receipt): string {
  if (charged === null) return "not known yet; the chain will decide";
  return charged ? `yes, ${formatUsd(pricing.pricePaidUsd)}` : "no";
}

/** By a transaction, or by a voucher that is claimed later. */
function describeSettlement({ transaction, channel }: Receipt["payment"]): (readonly [string, string])[] {
  if (!channel) return [["transaction", transaction ?? "none"]];
  const { voucher, isClaimed, claimTransaction } = channel;
  return [
    ["channel", voucher.channelId],
    [
      "voucher",
      `${formatUsd(Number(voucher.maxClaimableAmount) / 1e6)} in all, for this call and earlier ones`,
    ],
    ["claimed", isClaimed ? (claimTransaction ?? "yes") : "not yet"],
  ];
}

export function formatReceipt(receipt: Receipt): string {
  const { payment } = receipt;
  return page([
    `${printable(receipt.invocationId)}: ${receipt.state}`,
    ...alignRows([
      ["capability", `${receipt.capabilityId} ${receipt.capabilityVersion}`],
      ["charged", describeCharge(receipt)],
      ["answer", cacheWords[receipt.pricing.actualCacheStatus]],
      ["payer", payment.payer],
      ["paid to", payment.payTo],
      ...describeSettlement(payment),
      ["result hash", receipt.resultHash ?? "none"],
      ["artifact", receipt.artifactId ?? "none"],
      ...(receipt.failure ? [["failure", receipt.failure] as const] : []),
      ["created", receipt.createdAt],
      ["settled", receipt.settledAt ?? "no"],
    ]),
  ]);
}

export function formatHealth(health: Health, paint: Paint): string {
  const { status, dependencies, headBlock, headAgeMs, blockTimeMs } = health;
  return page([
    paint(["bold", status === "ready" ? "green" : "red"], status.toUpperCase()),
    ...alignRows([
      ...dependencies.map(({ name, ok, detail }) => [name, `${ok ? "ok" : "MISSING"}: ${detail}`] as const),
      [
        "head block",
        headBlock === null
          ? "none"
          : `${headBlock}, ${headAgeMs} ms old, a block every ${Math.round(blockTimeMs ?? 0)} ms`,
      ],
    ]),
  ]);
}
