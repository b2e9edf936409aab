import { z } from "zod";

/** JSON-RPC 2.0 allows null as an id, although clients of MCP do not send it. */
const idSchema = z.union([z.string(), z.int()]).nullable();

/** POST /api/mcp: JSON-RPC 2.0, one message at a time. Without an id it is a notification, which is not answered. */
export const mcpRequestSchema = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: idSchema.optional(),
  method: z.union([
    z.enum(["initialize", "ping", "tools/list", "tools/call"]),
    z.string().regex(/^notifications\//),
  ]),
  /** For `tools/call`: a tool's `name` and its `arguments`. */
  params: z.record(z.string(), z.unknown()).optional(),
});

export const mcpErrorSchema = z.strictObject({
  jsonrpc: z.literal("2.0"),
  /** Null also where none could be read (JSON-RPC 2.0, section 5). */
  id: idSchema,
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});

export const mcpAnswerSchema = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: idSchema, result: z.record(z.string(), z.unknown()) }),
  mcpErrorSchema,
]);
