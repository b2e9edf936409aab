import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { PriceBook } from "../quotes/priceBook.js";
import { buildInvokeRequest } from "./buildInvokeRequest.js";
import { findToolSpec, listTools } from "./listTools.js";

export interface McpContext {
  readonly prices: PriceBook;
  readonly settings: { readonly publicUrl: string };
}

/** One message as it was posted, and the way to the routes that answer tool calls. */
export interface McpExchange {
  readonly request: Request;
  readonly body: string;
  /** Calls an invoke route as the same caller would over HTTP. */
  readonly callRoute: (request: Request) => Promise<Response>;
}

const PAYMENT_META = "x402/payment";
const PAYMENT_RESPONSE_META = "x402/payment-response";

/**
 * POST /api/mcp: one JSON-RPC message over streamable HTTP, without sessions. A tool call is the same call as over HTTP:
 * unpaid, it is answered with the invoke route's own 402, unless `?x402=mcp` asks for the challenge inside the result.
 */
export async function answerMcp(context: McpContext, exchange: McpExchange): Promise<Response> {
  const message = parseMessage(exchange.body);
  if (message instanceof Response) return message;
  const { request } = exchange;
  const insideResult = new URL(request.url).searchParams.get("x402") === "mcp";
  const relay: Relay = { challenge: undefined, headers: {} };
  const server = new Server(
    { name: "assay", title: "Assay", version: "1.0.0", websiteUrl: context.settings.publicUrl },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(context.prices) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const spec = findToolSpec(params.name);
    if (!spec)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name.slice(0, 64))}; tools/list names them.`,
      );
    const payment =
      request.headers.get("payment-signature") ?? encodePayment(params._meta?.[PAYMENT_META]) ?? undefined;
    const invoke = buildInvokeRequest(spec, params.arguments ?? {}, request, payment);
    return toResult(await exchange.callRoute(invoke), relay, insideResult);
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(toTransportRequest(request), { parsedBody: message });
    if (relay.challenge) return relay.challenge;
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(relay.headers)) headers.set(name, value);
    return new Response(response.body, { status: response.status, headers });
  } finally {
    await server.close();
  }
}

const INSTRUCTIONS = `Assay judges contracts, tokens and unsigned transactions on Base before you sign. Every tool is paid per call by x402: an unpaid tools/call is answered 402 with the price; sign it and call again with the payment in the PAYMENT-SIGNATURE header or in params._meta["${PAYMENT_META}"]. Act on "allow" only; "review" says what is unknown or unusual, "block" what is wrong. An answer holds until result.validUntilBlock.`;

interface Relay {
  /** The invoke route's 402, to be sent as it is. */
  challenge: Response | undefined;
  headers: Record<string, string>;
}

async function toResult(response: Response, relay: Relay, insideResult: boolean): Promise<CallToolResult> {
  if (response.status === 402 && !insideResult) {
    relay.challenge = response;
    return { content: [] };
  }
  for (const name of RELAYED_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) relay.headers[name] = value;
  }
  const text = await response.text();
  const settled = response.headers.get("payment-response");
  return {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    ...(!response.ok && { isError: true }),
    ...(settled !== null && {
      _meta: { [PAYMENT_RESPONSE_META]: JSON.parse(Buffer.from(settled, "base64").toString("utf8")) },
    }),
  };
}

const RELAYED_HEADERS = [
  "payment-required",
  "payment-response",
  "retry-after",
  "x-request-id",
  "cache-control",
];

/** A payment in the message is the JSON that the header carries in base64. */
function encodePayment(payment: unknown): string | undefined {
  if (payment === undefined) return undefined;
  if (typeof payment !== "object" || payment === null)
    throw new McpError(ErrorCode.InvalidParams, `_meta["${PAYMENT_META}"] must be an x402 payment payload.`);
  return Buffer.from(JSON.stringify(payment)).toString("base64");
}

/** The message, or the answer to something that is none. */
function parseMessage(body: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return failure(ErrorCode.ParseError, "The body is not JSON.", null);
  }
  if (Array.isArray(value))
    return failure(ErrorCode.InvalidRequest, "Send one message per request: MCP has no batches.", null);
  if (!JSONRPCMessageSchema.safeParse(value).success)
    return failure(ErrorCode.InvalidRequest, "The body is not a JSON-RPC 2.0 message.", idOf(value));
  const [issue] = checkParams(value as { method?: string })?.issues ?? [];
  if (issue)
    return failure(ErrorCode.InvalidParams, `${issue.path.join(".")}: ${issue.message}.`, idOf(value), 200);
  return value;
}

const requestSchemas = {
  initialize: InitializeRequestSchema,
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
} as const;

/** The SDK would call parameters of a wrong shape its own failure. */
function checkParams(message: { method?: string }) {
  const { method = "" } = message;
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

/** Answers are always one JSON document, so whoever accepts anything accepts them. */
function toTransportRequest(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  headers.set("content-type", "application/json");
  return new Request(request.url, { method: "POST", headers });
}
