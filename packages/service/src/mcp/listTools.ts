import {
  asksForWallet,
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
  const { hitMicroUsd, missMicroUsd } = getPrices(prices, spec.id);
  const [least, most] = [usdFromMicro(hitMicroUsd), usdFromMicro(missMicroUsd)];
  const price =
    least === most ? `${most} USD` : `${least} USD while an answer is fresh, ${most} USD otherwise`;
  const kept =
    spec.reuse === "shared"
      ? "The answer is shared evidence that others may reuse."
      : "The answer is private to the payer: never cached, shared or resold.";
  return {
    name: toolNameOf(spec.id),
    title: spec.id,
    description: [
      spec.summary,
      `Returns a verdict (allow, review or block) for ${NETWORK} with reason codes, evidence, limitations and the blocks it holds for; what could not be read is review, never allow.`,
      `Paid by x402: ${price}. ${kept}`,
    ].join(" "),
    // Without an outputSchema: strict clients would hold an unpaid call's challenge against it.
    inputSchema: withRouteFields(spec, inputJsonSchemaOf(spec.id)) as Tool["inputSchema"],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  };
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
