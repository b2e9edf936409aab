import { type CapabilitySpec, capabilityCatalog, usdFromMicro } from "@assay/protocol";
import { findCapability } from "../../capabilities/registry.js";
import { getPrices, type PriceBook } from "../../quotes/priceBook.js";
import { guidance } from "./guidance.js";

/** GET /llms.txt: the service in one page of Markdown, as llmstxt.org lays it out. */
export function writeLlmsText(prices: PriceBook, publicUrl: string): string {
  const callable = capabilityCatalog.filter(({ id }) => findCapability(id));
  const link = (path: string, about: string) => `- [${path}](${publicUrl}${path}): ${about}`;
  return `# Assay

> Verdicts about Base that a stranger can recompute, paid per call with x402.

${guidance(publicUrl)}

## Capabilities

Prices in USD. Add the input as query parameters; where it says POST, as a JSON body.

${callable.map((spec) => describe(spec, prices, publicUrl)).join("\n")}

## Free

${[
  link("/api/v1/capabilities", "the catalog, with prices, inputs and readiness"),
  link("/api/v1/quotes", "a price for one wallet and one input"),
  link("/api/v1/claims", "claims that may be challenged for a reward"),
  link("/api/v1/bounties", "questions nobody has answered, and what answering earns"),
  link("/api/v1/opportunities", "capabilities that were asked for"),
  link("/api/v1/health", "whether every dependency answers now"),
].join("\n")}

## Machine-readable

${[
  link("/openapi.json", "OpenAPI 3.1: every route, field, status and header, with recorded examples"),
  link("/api/mcp", "Model Context Protocol endpoint (POST); the same capabilities as tools"),
  link("/.well-known/x402", "paid routes with their highest prices"),
  link("/.well-known/assay.json", "signing address, log key, signing domain and limits"),
  link("/api/v1/log/checkpoint", "signed head of the transparency log"),
].join("\n")}
`;
}

function describe(spec: CapabilitySpec, prices: PriceBook, publicUrl: string): string {
  const { id, method, summary } = spec;
  const { hitMicroUsd, missMicroUsd } = getPrices(prices, id);
  const [least, most] = [usdFromMicro(hitMicroUsd), usdFromMicro(missMicroUsd)];
  const price = least === most ? `${most}` : `${least} to ${most}`;
  return `- [${id}](${publicUrl}/api/v1/capabilities/${id}/invoke) (${method}, ${price}): ${summary}`;
}
