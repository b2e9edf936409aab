import { capabilities, type ListedCapability } from "@assay/capabilities";
import {
  CLAIM_PRICE_MICRO_USD,
  claimRequestSchema,
  type JsonSchema,
  jsonSchemaOf,
  usdFromMicro,
} from "@assay/protocol";
import { CLAIM_OPENING } from "../../claims/openClaim.js";
import { getPrices, type PriceBook } from "../../quotes/priceBook.js";
import { guidance } from "./guidance.js";

/** GET /llms.txt: the service in one page of Markdown, as llmstxt.org lays it out. */
export function writeLlmsText(prices: PriceBook, publicUrl: string): string {
  const link = (path: string, about: string) => `- [${path}](${publicUrl}${path}): ${about}`;
  return `# Assay

> Verdicts about Base that a stranger can recompute, paid per call with x402.

${guidance(publicUrl)}

## Capabilities

Prices in USD. Add the input as query parameters; where it says POST, as a JSON body. Inputs with a question mark may be left
out.

${capabilities.map((capability) => describe(capability, prices, publicUrl)).join("\n")}
- [openClaim](${publicUrl}/api/v1/claims) (POST, ${usdFromMicro(CLAIM_PRICE_MICRO_USD)}): ${CLAIM_OPENING.summary} Input: ${listInputs(jsonSchemaOf(claimRequestSchema))}.

## Free

${[
  link("/api/v1/capabilities", "the catalog, with prices, inputs and readiness"),
  link("/api/v1/quotes", "a price for one wallet and one input"),
  link("/api/v1/claims", "claims that may be challenged for a reward (GET)"),
  "- `/api/v1/receipts/{invocationId}`: what became of a payment, and its place in the log",
  "- `/api/v1/evidence/{artifactId}`: where a shared answer came from, and how to compute it again",
  link("/api/v1/bounties", "questions nobody has answered, and what answering earns"),
  link("/api/v1/opportunities", "capabilities that were asked for"),
  link("/api/v1/health", "whether every dependency answers now"),
].join("\n")}

## Machine-readable

${[
  link("/openapi.json", "OpenAPI 3.1: every route, field, status and header, with recorded examples"),
  link("/api/mcp", "Model Context Protocol endpoint (POST); the same capabilities as tools"),
  link("/api/mcp?x402=mcp", "the same, with challenges inside results, for x402's MCP clients"),
  link("/.well-known/x402", "paid routes with their highest prices"),
  link("/.well-known/agent-registration.json", "this service as an agent (ERC-8004)"),
  link("/.well-known/assay.json", "signing address, log key, signing domain and limits"),
  link("/api/v1/log/checkpoint", "signed head of the transparency log"),
].join("\n")}
`;
}

function describe(capability: ListedCapability, prices: PriceBook, publicUrl: string): string {
  const { id, method, summary, input, asksForWallet } = capability;
  const { hitMicroUsd, missMicroUsd } = getPrices(prices, id);
  const [least, most] = [usdFromMicro(hitMicroUsd), usdFromMicro(missMicroUsd)];
  const price = least === most ? `${most}` : `${least} to ${most}`;
  const inputs = listInputs(jsonSchemaOf(input), asksForWallet ? ["`wallet` address"] : []);
  return `- [${id}](${publicUrl}/api/v1/capabilities/${id}/invoke) (${method}, ${price}): ${summary} Input: ${inputs}.`;
}

/** Each field with one word for its kind. */
function listInputs(schema: JsonSchema, beside: readonly string[] = []): string {
  const required = (schema.required ?? []) as readonly string[];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const listed = fields.map(
    ([name, field]) => `\`${name}\`${required.includes(name) ? "" : "?"} ${kindOf(field)}`,
  );
  return [...listed, ...beside].join(", ") || "none";
}

function kindOf({ type, anyOf, pattern, format, maxLength }: JsonSchema): string {
  const rule = String(pattern ?? "");
  if (rule.includes("{40}")) return "address";
  if (rule.includes("{64}")) return "hash";
  if (rule.startsWith("^0x")) return "hex";
  if (rule.startsWith("^[0-9]")) return "decimal";
  if (rule.startsWith("^inv_")) return "id";
  if (format === "uri") return "URL";
  if (maxLength !== undefined) return "text";
  const types = (anyOf as readonly JsonSchema[] | undefined)?.map((one) => one.type) ?? [type];
  return types.includes("integer") ? "integer" : "text";
}
