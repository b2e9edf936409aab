import { capabilities, getCapability } from "@assay/capabilities";
import { findServed } from "@assay/capabilities/served";
import { mcpAnswerSchema, mcpErrorSchema, mcpRequestSchema } from "@assay/protocol";
import { z } from "zod";
import { getPrices, type PriceBook } from "../../../quotes/priceBook.js";
import type { Operation, Price } from "../operation.js";
import { paymentHeader } from "../payment.js";

/** What tools cost, from the cheapest to the dearest; which of them is called decides, and its invoke route names the price. */
function rangeOf(prices: PriceBook): Price {
  const called = capabilities.filter(({ id }) => findServed(id)).map(({ id }) => getPrices(prices, id));
  const least = (one: bigint, other: bigint) => (one < other ? one : other);
  const most = (one: bigint, other: bigint) => (one > other ? one : other);
  return {
    leastMicroUsd: called.map(({ hitMicroUsd }) => hitMicroUsd).reduce(least),
    mostMicroUsd: called.map(({ missMicroUsd }) => missMicroUsd).reduce(most),
  };
}

export function listMcpOperations(prices: PriceBook): Operation[] {
  return [
    {
      id: "callMcp",
      method: "post",
      path: "/api/mcp",
      tag: "mcp",
      summary: "One JSON-RPC 2.0 message of the Model Context Protocol",
      description:
        "Streamable HTTP without sessions; answers are JSON. `initialize`, `ping` and `tools/list` are free. `tools/call` is the same paid call as the capability's invoke route: unpaid it is answered with that route's 402, and the payment comes in the PAYMENT-SIGNATURE header or in `params._meta[\"x402/payment\"]`. A refused argument is a result with `isError`.",
      query: {
        x402: z.enum(["mcp"]).optional().describe("gives the challenge inside a result instead of a 402"),
      },
      headers: paymentHeader,
      price: rangeOf(prices),
      body: {
        schema: mcpRequestSchema,
        example: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "contract_guard", arguments: getCapability("contract.guard").example },
        },
      },
      answers: {
        200: {
          description: "The result, or a JSON-RPC error.",
          schema: mcpAnswerSchema,
          headers: ["Cache-Control"],
          // Those of the invoke route that a tool call was.
          someHeaders: ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "Retry-After"],
        },
        202: { description: "A notification, taken without an answer.", headers: ["Cache-Control"] },
        400: {
          description: "The body is no JSON-RPC message.",
          schema: mcpErrorSchema,
          headers: ["Cache-Control"],
        },
      },
      problems: ["foreign_host", "body_too_large", "unsupported_media_type"],
    },
  ];
}
