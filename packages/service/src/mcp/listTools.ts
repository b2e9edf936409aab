import { capabilities, type ListedCapability } from "@assay/capabilities";
import { type CapabilityPrices, type JsonSchema, jsonSchemaOf, NETWORK, usdFromMicro } from "@assay/protocol";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { getPrices, type PriceBook } from "../quotes/priceBook.js";

/** Every capability that can be called, as a tool. */
export function listTools(prices: PriceBook): Tool[] {
  return capabilities.map((capability) => toTool(capability, prices));
}

/** Tool names hold no dots, which some clients refuse. */
export const toolNameOf = (id: string): string => id.replaceAll(".", "_");

/** The capability that a tool calls. */
export function findToolCapability(name: string): ListedCapability | undefined {
  return capabilities.find(({ id }) => toolNameOf(id) === name);
}

function toTool(capability: ListedCapability, prices: PriceBook): Tool {
  const kept =
    capability.reuse === "shared"
      ? "The answer is shared evidence that others may reuse."
      : "The answer is private to the payer: never cached, shared or resold.";
  return {
    name: toolNameOf(capability.id),
    title: capability.id,
    description: [
      capability.summary,
      `Returns a verdict (allow, review or block)${capability.isAboutChain ? ` for ${NETWORK}` : ""} with reason codes, evidence, limitations and the blocks it holds for; what could not be read is review, never allow.`,
      `Paid by x402: ${describePrice(getPrices(prices, capability.id))}. ${kept}`,
    ].join(" "),
    // Without an outputSchema: strict clients would refuse an unpaid call's challenge, which has another shape.
    inputSchema: withRouteFields(capability, jsonSchemaOf(capability.input)) as Tool["inputSchema"],
    // A kept observation is what the next answer compares with.
    annotations: {
      readOnlyHint: capability.leaves !== "observation",
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
function withRouteFields({ asksForWallet }: ListedCapability, schema: JsonSchema): JsonSchema {
  const required = schema.required as readonly string[] | undefined;
  const wallet = { type: "string", pattern: "^0x[a-fA-F0-9]{40}$", description: "wallet that will pay" };
  return {
    ...schema,
    properties: {
      ...(schema.properties as object),
      ...(asksForWallet && { wallet }),
      quote: { type: "string", description: "id of a quote for this wallet and input, if one was taken" },
    },
    ...(asksForWallet && { required: [...(required ?? []), "wallet"] }),
  };
}
