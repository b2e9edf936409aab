import { exampleInputs, mcpAnswerSchema, mcpErrorSchema, mcpRequestSchema } from "@assay/protocol";
import { z } from "zod";
import type { Operation } from "../operation.js";
import { paymentHeader, paymentRequired } from "../payment.js";

export function listMcpOperations(): Operation[] {
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
      body: {
        schema: mcpRequestSchema,
        example: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "contract_guard", arguments: exampleInputs["contract.guard"] },
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
        // Not a price of this route: which tool is called decides, and that tool's invoke route names it.
        402: paymentRequired,
      },
      problems: ["foreign_host", "body_too_large", "unsupported_media_type"],
    },
  ];
}
