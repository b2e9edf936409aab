import { findCapability, summarizeAnswer } from "@assay/capabilities";
import { capabilityResultSchema, RELEASE_VERSION } from "@assay/protocol";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import type { PriceBook } from "../quotes/priceBook.js";
import { buildInvokeRequest } from "./buildInvokeRequest.js";
import { invalidParams } from "./invalidParams.js";
import { findToolCapability, listTools } from "./listTools.js";
import { parseMessage } from "./parseMessage.js";
import { PAYMENT_META, readToolPayment } from "./readToolPayment.js";

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

const PAYMENT_RESPONSE_META = "x402/payment-response";
/** Where the client of Cloudflare's `agents/x402` reads a challenge. */
const CHALLENGE_META = "x402/error";

/**
 * POST /api/mcp: one JSON-RPC message over streamable HTTP, without sessions. A tool call is the same call as over HTTP:
 * unpaid, it is answered with the invoke route's own 402, unless `?x402=mcp` asks for the challenge inside the result.
 */
export async function answerMcp(context: McpContext, exchange: McpExchange): Promise<Response> {
  const message = parseMessage(exchange.body);
  if (message instanceof Response) return message;
  const { request } = exchange;
  const listed = findListing(context.prices, message, request.headers.get("mcp-protocol-version"));
  if (listed) return listed;
  const insideResult = new URL(request.url).searchParams.get("x402") === "mcp";
  const relay: Relay = { challenge: undefined, headers: {} };
  const server = new Server(
    { name: "assay", title: "Assay", version: RELEASE_VERSION, websiteUrl: context.settings.publicUrl },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    if (params?.cursor !== undefined)
      throw invalidParams("cursor must be left out: no list was given that goes on after one.");
    return { tools: listTools(context.prices) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const spec = findToolCapability(params.name);
    if (!spec)
      throw invalidParams(
        `There is no tool ${JSON.stringify(params.name.slice(0, 64))}; tools/list names them.`,
      );
    const payment = readToolPayment(request.headers.get("payment-signature"), params._meta?.[PAYMENT_META]);
    const invoke = buildInvokeRequest(spec, params.arguments ?? {}, request, payment);
    return toResult(await exchange.callRoute(invoke), relay, insideResult);
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // The SDK knows no null id; a client that sends one gets it back.
    const parsedBody = message.id === null ? { ...message, id: "null" } : message;
    const response = await transport.handleRequest(toTransportRequest(request), { parsedBody });
    if (relay.challenge) return relay.challenge;
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(relay.headers)) headers.set(name, value);
    const { status } = response;
    if (message.id !== null || status !== 200) return new Response(response.body, { status, headers });
    const answer = (await response.json()) as object;
    return new Response(JSON.stringify({ ...answer, id: null }), { status, headers });
  } finally {
    await server.close();
  }
}

const listings = new WeakMap<PriceBook, string>();

/**
 * The list of tools is the same for everybody and long, so it is written once. What is special about a request for it (a
 * cursor, a notification, a protocol that the SDK does not know) is left to the SDK.
 */
function findListing(
  prices: PriceBook,
  { method, id, params }: Record<string, unknown>,
  version: string | null,
): Response | undefined {
  if (method !== "tools/list" || id === undefined || Object.hasOwn(params ?? {}, "cursor")) return undefined;
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  let text = listings.get(prices);
  if (text === undefined) {
    text = JSON.stringify({ tools: listTools(prices) });
    listings.set(prices, text);
  }
  return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`, {
    headers: { "content-type": "application/json" },
  });
}

const INSTRUCTIONS = `Assay judges contracts, tokens and unsigned transactions on Base before you sign. Every tool is paid per call by x402: an unpaid tools/call is answered 402 with the price; sign it and call again with the payment in the PAYMENT-SIGNATURE header or in params._meta["${PAYMENT_META}"], as JSON or as the header has it. Clients that read challenges inside results connect to this endpoint with ?x402=mcp. Act on "allow" only; "review" says what is unknown or unusual, "block" what is wrong. The text of a result is short; structuredContent has all of it. An answer holds until result.validUntilBlock.`;

interface Relay {
  /** The invoke route's 402, to be sent unchanged. */
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
  const body = await response.text();
  const structuredContent = JSON.parse(body) as Record<string, unknown>;
  const settled = response.headers.get("payment-response");
  const meta = {
    ...(response.status === 402 && { [CHALLENGE_META]: structuredContent }),
    ...(settled !== null && {
      [PAYMENT_RESPONSE_META]: JSON.parse(Buffer.from(settled, "base64").toString("utf8")),
    }),
  };
  return {
    content: [{ type: "text", text: response.ok ? await summarize(structuredContent) : body }],
    structuredContent,
    ...(!response.ok && { isError: true }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/** A model reads `content`, and a whole answer would be thousands of tokens of its context. */
async function summarize(body: unknown): Promise<string> {
  const answer = capabilityResultSchema.parse(body);
  const rule = await findCapability(answer.capabilityId)?.loadRule();
  return summarizeAnswer(answer, rule?.reasons);
}

const RELAYED_HEADERS = [
  "payment-required",
  "payment-response",
  "retry-after",
  "x-request-id",
  "cache-control",
];

/** Answers are always one JSON document, so the SDK need not refuse a client by its Accept header. */
function toTransportRequest(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  headers.set("content-type", "application/json");
  return new Request(request.url, { method: "POST", headers });
}
