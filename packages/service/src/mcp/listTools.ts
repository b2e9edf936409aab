import {
  asksForWallet,
  type CapabilityPrices,
  type CapabilitySpec,
  capabilityCatalog,
  getCapabilitySpec,
  inputJsonSchemaOf,
  type JsonSchema,
  NETWORK,
  usdFromMicro,
} from "@assay/protocol";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { findCapability } from "../capabilities/registry.js";
import { getPrices, type PriceBook } from "../quotes/priceBook.js";

/** Every capability that can be called, as a tool. */
export function listTools(prices: PriceBook): Tool[] {
  return capabilityCatalog.filter(({ id }) => findCapability(id)).map((spec) => toTool(spec, prices));
}

/** Tool names hold no dots, which some clients refuse. */
export const toolNameOf = (id: string): string => id.replaceAll(".", "_");

/** The capability that a tool calls. */
export function findToolSpec(name: string): CapabilitySpec | undefined {
  const id = capabilityCatalog.find((spec) => toolNameOf(spec.id) === name)?.id;
  return id && findCapability(id) ? getCapabilitySpec(id) : undefined;
}

function toTool(spec: CapabilitySpec, prices: PriceBook): Tool {
  const kept =
    spec.reuse === "shared"
      ? "The answer is shared evidence that others may reuse."
      : "The answer is private to the payer: never cached, shared or resold.";
  return {
    name: toolNameOf(spec.id),
    title: spec.id,
    description: [
      spec.summary,
      `Returns a verdict (allow, review or block)${spec.id === "web.compile" ? "" : ` for ${NETWORK}`} with reason codes, evidence, limitations and the blocks it holds for; what could not be read is review, never allow.`,
      `Paid by x402: ${describePrice(getPrices(prices, spec.id))}. ${kept}`,
    ].join(" "),
    // Without an outputSchema: strict clients would hold an unpaid call's challenge against it.
    inputSchema: withRouteFields(spec, inputJsonSchemaOf(spec.id)) as Tool["inputSchema"],
    // The observation that contract.change keeps is what its next answer compares with.
    annotations: {
      readOnlyHint: spec.id !== "contract.change",
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  };
}

/** Every tier that differs from the next. */
function describePrice({ hitMicroUsd, partialMicroUsd, missMicroUsd }: CapabilityPrices): string {
  const [hit, partial, miss] = [hitMicroUsd, partialMicroUsd, missMicroUsd].map(usdFromMicro);
  if (hit === miss) return `${miss} USD`;
  const between = partial === hit || partial === miss ? "" : `, ${partial} USD while only its fingerprint is`;
  return `${hit} USD while an answer is fresh${between}, ${miss} USD otherwise`;
}

/** What the invoke route takes besides the capability's input. */
function withRouteFields({ id }: CapabilitySpec, schema: JsonSchema): JsonSchema {
  const required = schema.required as readonly string[] | undefined;
  const wallet = { type: "string", pattern: "^0x[a-fA-F0-9]{40}$", description: "wallet that will pay" };
  return {
    ...schema,
    properties: {
      ...(schema.properties as object),
      ...(asksForWallet(id) && { wallet }),
      quote: { type: "string", description: "id of a quote for this wallet and input, if one was taken" },
    },
    ...(asksForWallet(id) && { required: [...(required ?? []), "wallet"] }),
  };
}
