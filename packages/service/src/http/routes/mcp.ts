import { capabilities, type ListedCapability } from "@assay/capabilities";
import { AssayError, mcpAnswerSchema, mcpErrorSchema, mcpRequestSchema } from "@assay/protocol";
import type { StatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { answerMcp, type McpContext } from "../../mcp/answerMcp.js";
import { toolNameOf } from "../../mcp/listTools.js";
import { getPrices, type PriceBook } from "../../quotes/priceBook.js";
import type { Price } from "../openapi/operation.js";
import { paymentHeader } from "../openapi/payment.js";
import type { OwnHostCheck } from "../ownHost.js";
import { readBody } from "../readInput.js";
import { defineRoute } from "../route.js";

interface McpRouteContext extends McpContext {
  readonly isOwnHost: OwnHostCheck;
}

const [shown] = capabilities as readonly [ListedCapability, ...ListedCapability[]];

export const mcp = defineRoute({
  operation: {
    id: "callMcp",
    method: "post",
    path: "/api/mcp",
    tag: "mcp",
    summary: "One JSON-RPC 2.0 message of the Model Context Protocol",
    description:
      "Streamable HTTP without sessions; answers are JSON. `initialize`, `ping` and `tools/list` are free. `tools/call` is the same paid call as the capability's invoke route: unpaid it is answered with that route's 402, and the payment comes in the PAYMENT-SIGNATURE header or in `params._meta[\"x402/payment\"]`, as JSON or as in that header. `content` is the answer in at most 700 tokens, `structuredContent` the whole. A refused argument is a result with `isError`.",
    query: {
      x402: z.enum(["mcp"]).optional().describe("gives the challenge inside a result instead of a 402"),
    },
    headers: paymentHeader,
    price: listPriceRange,
    body: {
      schema: mcpRequestSchema,
      example: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: toolNameOf(shown.id), arguments: shown.example },
      },
    },
    noStore: true,
    answers: {
      200: {
        description: "The result, or a JSON-RPC error.",
        schema: mcpAnswerSchema,
        // Those of the invoke route that a tool call used.
        someHeaders: ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "Retry-After"],
      },
      202: { description: "A notification, accepted without an answer." },
      400: { description: "The body is no JSON-RPC message.", schema: mcpErrorSchema },
    },
    problems: ["foreign_host", "body_too_large", "unsupported_media_type"],
  },
  createHandler:
    (context: McpRouteContext, { callRoute }) =>
    async (c) => {
      // MCP (transports, security warning): a server on this machine must not answer pages under a rebound name.
      if (!context.isOwnHost(c.req.header("host")))
        throw new AssayError("foreign_host", "This service does not answer to that Host.");
      const answer = await answerMcp(context, {
        request: c.req.raw,
        body: (await readBody(c)).toString("utf8"),
        callRoute: (request) => callRoute(request, c),
      });
      // With the headers of this router, which an answer made without it lacks.
      const headers = { ...Object.fromEntries(answer.headers), "x-request-id": c.get("requestId") };
      return c.newResponse(answer.body, answer.status as StatusCode, headers);
    },
});

/** From the cheapest tool to the most expensive; the tool that is called decides, and its invoke route names the price. */
function listPriceRange(prices: PriceBook): Price {
  const ofTools = capabilities.map(({ id }) => getPrices(prices, id));
  const least = (one: bigint, other: bigint) => (one < other ? one : other);
  const most = (one: bigint, other: bigint) => (one > other ? one : other);
  return {
    leastMicroUsd: ofTools.map(({ hitMicroUsd }) => hitMicroUsd).reduce(least),
    mostMicroUsd: ofTools.map(({ missMicroUsd }) => missMicroUsd).reduce(most),
  };
}
