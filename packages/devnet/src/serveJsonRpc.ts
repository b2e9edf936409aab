import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Evm } from "./createEvm.js";

const maxBodyBytes = 32 * 1024 * 1024;

export interface JsonRpcServer {
  url: string;
  close(): Promise<void>;
}

/** Serves JSON-RPC 2.0, single calls and batches, to any local client, browsers included. */
export async function serveJsonRpc(answer: Evm, port: number): Promise<JsonRpcServer> {
  const server = createServer((request, response) => {
    respond(answer, request, response).catch((error) => {
      // This happens only when the client disconnects while sending, so there is no one to answer.
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  // Node's default of five seconds is shorter than most clients keep a connection; a request sent while it closes fails.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(answer: Evm, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "POST, OPTIONS");
  response.setHeader("access-control-allow-headers", "*");
  if (request.method === "OPTIONS") {
    response.writeHead(204).end();
    return;
  }
  if (request.method !== "POST") {
    response.writeHead(405, { allow: "POST, OPTIONS" }).end();
    return;
  }
  const body = await readBody(request);
  const text =
    body === undefined ? describeFailure(null, -32600, "request too large") : await answerBody(answer, body);
  if (text === undefined) response.writeHead(204).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(text);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

async function answerBody(answer: Evm, body: string): Promise<string | undefined> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return describeFailure(null, -32700, "parse error");
  }
  if (!Array.isArray(parsed)) return answerCall(answer, parsed);
  if (parsed.length === 0) return describeFailure(null, -32600, "invalid request: empty batch");
  const answers: string[] = [];
  // In order, so that a batch may send a transaction and then read what it did.
  for (const call of parsed) {
    const text = await answerCall(answer, call);
    if (text !== undefined) answers.push(text);
  }
  return answers.length > 0 ? `[${answers.join(",")}]` : undefined;
}

/** Returns undefined for a notification, which gets no answer. */
async function answerCall(answer: Evm, call: unknown): Promise<string | undefined> {
  if (!isCall(call)) return describeFailure(null, -32600, "invalid request");
  const id = call.id ?? null;
  let text: string;
  try {
    const members = await answer(call.method, call.params);
    text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${members.slice(1)}`;
  } catch (error) {
    text = describeFailure(id, -32603, error instanceof Error ? error.message : "internal error");
  }
  return "id" in call ? text : undefined;
}

function isCall(value: unknown): value is { id?: unknown; method: string; params?: unknown } {
  return typeof value === "object" && value !== null && "method" in value && typeof value.method === "string";
}

function describeFailure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
