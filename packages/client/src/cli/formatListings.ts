import type { Catalog, Health, Quote, Receipt } from "@assay/protocol";
import { alignRows, formatUsd, type Paint, page, printable } from "./text.js";

export function formatCatalog(catalog: Catalog, paint: Paint): string {
  const lines = [
    `${printable(catalog.product)} on ${printable(catalog.network)}: ${printable(catalog.value)}`,
    "",
  ];
  for (const { id, status, reuse, pricing, summary, input } of catalog.capabilities) {
    const prices = [pricing.cacheHitUsd, pricing.fingerprintHitUsd, pricing.cacheMissUsd];
    const isFlat = prices.every((price) => price === prices[0]);
    const shown = isFlat ? formatUsd(pricing.cacheMissUsd) : prices.map(formatUsd).join(" / ");
    lines.push(
      `${paint("bold", printable(id))}  ${shown}  ${reuse}${status === "candidate" ? ", candidate" : ""}`,
      `  ${printable(summary)}`,
      `  input: ${Object.keys(input).map(printable).join(", ") || "none"}`,
    );
  }
  lines.push("", "Prices: cache hit / fingerprint hit / miss. Try: assay call <capability> --help");
  return page(lines);
}

export function formatQuote(quote: Quote, wallet: string): string {
  const credit =
    quote.creditAppliedUsd > 0
      ? `, list ${formatUsd(quote.listPriceUsd)} less credit ${formatUsd(quote.creditAppliedUsd)}`
      : "";
  return page([
    `${formatUsd(quote.priceUsd)} for ${printable(quote.capabilityId)} (cache ${quote.cacheStatus}${credit})`,
    ...alignRows([
      ["quote", quote.quoteId],
      ["for", wallet],
      ["expires", quote.expiresAt],
      ["invoke", `${quote.invokeMethod} ${quote.invokeUrl}`],
    ]),
  ]);
}

function describeCharge({ charged, pricing }: Receipt): string {
  if (charged === null) return "not known yet; the chain will tell";
  return charged ? `yes, ${formatUsd(pricing.pricePaidUsd)}` : "no";
}

export function formatReceipt(receipt: Receipt): string {
  const { payment } = receipt;
  return page([
    `${printable(receipt.invocationId)}: ${receipt.state}`,
    ...alignRows([
      ["capability", `${receipt.capabilityId} ${receipt.capabilityVersion}`],
      ["charged", describeCharge(receipt)],
      ["cache", receipt.pricing.actualCacheStatus],
      ["payer", payment.payer],
      ["paid to", payment.payTo],
      ["transaction", payment.transaction ?? "none"],
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
