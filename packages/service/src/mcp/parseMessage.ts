import { listFieldErrors, MAX_JSON_DEPTH, mcpRequestSchema, nestsTooDeep } from "@assay/protocol";
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** The posted message, or the answer to something that is none. */
export function parseMessage(body: string): Record<string, unknown> | Response {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return failure(ErrorCode.ParseError, "The body is not JSON.", null);
  }
  if (Array.isArray(value))
    return failure(ErrorCode.InvalidRequest, "Send one message per request: MCP has no batches.", null);
  if (nestsTooDeep(body)) {
    if (isNotification(value)) return NOT_ANSWERED();
    const rule = `params must be nested at most ${MAX_JSON_DEPTH} levels deep.`;
    return failure(ErrorCode.InvalidParams, rule, idOf(value), 200);
  }
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success) {
    const [{ field, rule } = { field: "body", rule: "is none" }] = listFieldErrors(envelope.error, value);
    const sentence = `The body is not a JSON-RPC 2.0 message: ${field} ${rule}.`;
    return failure(ErrorCode.InvalidRequest, sentence, idOf(value));
  }
  const message = envelope.data;
  if (!mcpRequestSchema.safeParse(message).success) {
    if (isNotification(message)) return NOT_ANSWERED();
    const sentence = `There is no method ${JSON.stringify(message.method.slice(0, 64))}.`;
    return failure(ErrorCode.MethodNotFound, sentence, message.id ?? null, 200);
  }
  const [issue] = checkParams(message)?.issues ?? [];
  if (!issue) return message;
  if (isNotification(message)) return NOT_ANSWERED();
  const field = issue.path.join(".");
  return failure(ErrorCode.InvalidParams, `${field}: ${issue.message}.`, message.id ?? null, 200);
}

/** Without an id it is a notification, which is never answered, known or not, right or wrong (JSON-RPC 2.0, section 4.1). */
const isNotification = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("id" in value);

const NOT_ANSWERED = () => new Response(null, { status: 202 });

/** The documented shape, but for which methods there are: an unknown one is a fault of its own. */
const envelopeSchema = mcpRequestSchema.extend({ method: z.string() });

const requestSchemas = {
  initialize: InitializeRequestSchema,
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
} as const;

/** The SDK would call parameters of a wrong shape its own failure. */
function checkParams(message: { method: string }) {
  const { method } = message;
  if (!Object.hasOwn(requestSchemas, method)) return undefined;
  return requestSchemas[method as keyof typeof requestSchemas].safeParse(message).error;
}

function failure(code: ErrorCode, message: string, id: string | number | null, status = 400): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}
