import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import WebSocket, { WebSocketServer } from "ws";
import { answerBody, nodeFailed, type ProxyContext } from "./answerBody.js";
import { keepHeaders, type UpstreamAnswer } from "./forward.js";
import type { ProxySettings, RunningProxy } from "./proxySettings.js";
import { errorText } from "./refusal.js";

/** As much as nodes take. */
const MAX_BODY_BYTES = 5 << 20;
const JSON_TYPE = { "content-type": "application/json" };
const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** Serves JSON-RPC by HTTP and by WebSocket on one port. */
export async function serveProxy(context: ProxyContext, settings: ProxySettings): Promise<RunningProxy> {
  const server = createServer((request, response) => {
    answerHttp(context, settings, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { ...JSON_TYPE, "retry-after": "1" })
          .end(errorText("null", nodeFailed(error)));
    });
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
  });
  server.on("upgrade", (request, socket, head) => {
    // One that is reset while it is refused; the accepted ones report to their WebSocket.
    socket.on("error", () => socket.destroy());
    const fault = findFault(request, settings);
    if (fault) {
      socket.end(`HTTP/1.1 ${fault.status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) =>
      serveSocket(context, client, request.headers.origin),
    );
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(settings.port, settings.host, ready);
  });
  const { port } = server.address() as AddressInfo;
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${host}:${port}`,
    stop: () =>
      new Promise((done) => {
        for (const client of sockets.clients) client.terminate();
        server.close(() => done());
        server.closeAllConnections();
        context.upstream.close();
      }),
  };
}

interface Fault {
  readonly status: number;
  readonly detail: string;
}

/** What is refused before a body is read. Pages of other sites, and names that lead here by a trick (DNS rebinding), are. */
function findFault(
  { headers, url, method }: IncomingMessage,
  { host, origins }: ProxySettings,
): Fault | undefined {
  const name = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const isAnyHost = host === "0.0.0.0" || host === "::";
  if (!isAnyHost && ![...LOCAL_NAMES, host].includes(name))
    return { status: 403, detail: "The header Host must name this machine." };
  const { origin } = headers;
  if (origin !== undefined && !origins.includes(origin) && !origins.includes("*"))
    return { status: 403, detail: `Pages of ${origin.slice(0, 100)} may not ask; --origin allows a site.` };
  // Nodes take transactions at other addresses and in queries too, which are not read here.
  if (url !== "/") return { status: 404, detail: "Only the address / is served." };
  if (!["POST", "GET", "OPTIONS"].includes(method ?? ""))
    return { status: 405, detail: "Send requests by POST." };
  return undefined;
}

async function answerHttp(
  context: ProxyContext,
  settings: ProxySettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { origin } = request.headers;
  const refuse = ({ status, detail }: Fault) => {
    request.resume();
    response.writeHead(status, { ...JSON_TYPE, connection: "close" }).end(JSON.stringify({ error: detail }));
  };
  const fault = findFault(request, settings);
  if (fault) return refuse(fault);
  const cors = origin === undefined ? {} : { "access-control-allow-origin": origin, vary: "Origin" };
  if (request.method === "OPTIONS") {
    const allowed = {
      "access-control-allow-methods": "POST",
      // Libraries send headers for the node, such as its key.
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "content-type",
      "access-control-max-age": "600",
    };
    response.writeHead(204, { ...cors, ...allowed }).end();
    return;
  }
  if (request.method !== "POST") return refuse({ status: 405, detail: "Send requests by POST." });
  const form = findForeignForm(request);
  if (form) return refuse({ status: 415, detail: form });
  const body = await readBody(request);
  if (!body) return refuse({ status: 413, detail: `A body has at most ${MAX_BODY_BYTES} bytes.` });
  const left = new AbortController();
  response.once("close", () => response.writableFinished || left.abort());
  const answer = await answerBody(context, body, origin, {
    hasNotices: !context.upstream.isShared,
    gone: left.signal,
    send: (bytes, isAnswered) => context.upstream.exchange(bytes, request.rawHeaders, isAnswered),
  });
  if ("text" in answer) {
    response.writeHead(200, { ...JSON_TYPE, ...cors }).end(answer.text);
    return;
  }
  await passOn(answer.passed, response, cors);
}

/** Status, headers and bytes as the node sent them. Which pages may read them is said by the proxy and not by the node. */
async function passOn(
  { status, rawHeaders, body }: UpstreamAnswer,
  response: ServerResponse,
  cors: Readonly<Record<string, string>>,
): Promise<void> {
  const length = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === "content-length");
  const sized = length < 0 ? [] : ["Content-Length", rawHeaders[length + 1] ?? ""];
  const own = new Set(Object.keys(cors).filter((name) => name !== "vary"));
  const kept = keepHeaders(rawHeaders, own);
  response.writeHead(status, [...kept, ...sized, ...Object.entries(cors).flat()]);
  await pipeline(body, response);
}

/** A body that a node might read in another way than it is read here. */
function findForeignForm({ headers, headersDistinct }: IncomingMessage): string | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return "Send requests uncompressed.";
  // Every one that is stated: of two, a node may take the other.
  const types = (headersDistinct["content-type"] ?? []).join(";");
  const charsets = [...types.matchAll(/charset\*?\s*=\s*"?([^\s";]*)/gi)].map(([, charset = ""]) => charset);
  return charsets.every((charset) => /^utf-?8$/i.test(charset)) ? undefined : "Send requests in UTF-8.";
}

/** Undefined where it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Messages keep their bytes in both directions. What is judged does not hold up the rest. */
function serveSocket(context: ProxyContext, client: WebSocket, origin: string | undefined): void {
  const node = context.upstream.connect();
  const left = new AbortController();
  client.once("close", () => left.abort());
  const opened = node && waitForOpen(node);
  // Its failure closes the client's connection, below.
  opened?.catch(() => {});
  // A frame that breaks the protocol is an error, which nobody else takes; the connection closes by itself.
  client.on("error", () => node?.close());
  client.on("message", (data: WebSocket.RawData, isBinary: boolean) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    const send = async (body: Uint8Array, isAnswered: boolean): Promise<string> => {
      if (!node) return readText(await context.upstream.exchange(body, plainHeaders, isAnswered));
      await opened;
      // As it came, where it is what came.
      node.send(body, { binary: isBinary && body === bytes });
      return "";
    };
    answerBody(context, bytes, origin, { hasNotices: true, gone: left.signal, send })
      .then((answer) => ("text" in answer ? answer.text : answer.passed))
      .catch((error: unknown) => errorText("null", nodeFailed(error)))
      .then((text) => text !== "" && client.readyState === WebSocket.OPEN && client.send(text));
  });
  if (!node) return;
  node.on("message", (data: WebSocket.RawData, isBinary: boolean) =>
    client.send(data as Buffer, { binary: isBinary }),
  );
  node.on("close", () => client.close(1001));
  node.on("error", () => client.close(1011));
  client.on("close", () => node.close());
}

const plainHeaders = ["Content-Type", "application/json", "Accept-Encoding", "identity"];

function waitForOpen(socket: WebSocket): Promise<void> {
  return new Promise((done, fail) => {
    socket.once("open", () => done());
    socket.once("error", fail);
  });
}

async function readText({ body }: UpstreamAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
