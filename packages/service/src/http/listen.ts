import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { AssayError } from "@assay/protocol";
import { getRequestListener } from "@hono/node-server";
import type { ChallengeMemory } from "./challengeMemory.js";
import { createPeerFinder } from "./clientAddress.js";
import { toProblemResponse } from "./errors.js";
import { createPeers, type FindPeer } from "./peers.js";
import { MAX_HEADER_BYTES } from "./readInput.js";
import { KEEP_ALIVE_MS } from "./sendPrepared.js";
import { takeTurns } from "./takeTurns.js";

/** More connections than this are closed as they come. */
const MAX_CONNECTIONS = 4_096;
/** A connection that neither sends nor takes a byte for this long is closed; longer than any answer takes. */
const IDLE_MS = 75_000;
const HEADERS_WITHIN_MS = 10_000;
/** While the server closes, connections that have become idle are closed this often. */
const SWEEP_MS = 100;
/** How long a connection whose request was refused may take to read why. */
const LAST_WORDS_MS = 1_000;

const NOT_HTTP = new AssayError("invalid_input", "The request is not valid HTTP.");

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets requests in progress finish, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  /** Answers what it can before the app is asked. */
  readonly challenges?: ChallengeMemory;
  readonly findPeer?: FindPeer;
  /** From the first byte of a request to the end of its headers; a fifth more until its connection is ended. */
  readonly headersWithinMs?: number;
}

export function listen(
  app: { readonly fetch: Parameters<typeof getRequestListener>[0] },
  host: string,
  port: number,
  { challenges, findPeer = createPeerFinder([]), headersWithinMs = HEADERS_WITHIN_MS }: ListenOptions = {},
): Promise<Listener> {
  const route = getRequestListener(app.fetch);
  const peers = createPeers(findPeer);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersWithinMs,
      requestTimeout: 30_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node checks both timeouts this often, and by default so seldom that unfinished headers hold a socket for 40 s.
      connectionsCheckingInterval: headersWithinMs / 5,
    },
    takeTurns((request, response) => {
      if (!server.listening) response.setHeader("connection", "close");
      if (namesTwoHosts(request)) {
        // Through the response, which keeps its turn among pipelined ones and ends the connection.
        const { status, lines, text } = describeLast(NOT_HTTP);
        response.writeHead(status, lines).end(text);
        return;
      }
      if (!challenges?.tryAnswer(request, response)) void route(request, response);
    }, peers),
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Before Node's own listener, which reads from a connection.
  server.prependListener("connection", peers.admit);
  server.timeout = IDLE_MS;
  server.on("clientError", answerBrokenRequest);
  return new Promise((ready, fail) => {
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      ready({ port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) });
    });
  });
}

/** To be refused (RFC 9112, section 3.2): a proxy in front of us may have routed by the other Host. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** Node rejects these before any route runs; they still get a problem document. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const cause = tooLarge
    ? new AssayError("headers_too_large", `Request headers must be at most ${MAX_HEADER_BYTES} bytes.`)
    : NOT_HTTP;
  const { status, lines, text } = describeLast(cause);
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  // A caller that does not close its side would hold the socket for ever.
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`);
}

/** A problem after which nothing more is read from its connection. */
function describeLast(cause: AssayError) {
  const { status, headers, body } = toProblemResponse(cause, "-");
  const text = JSON.stringify(body);
  const lines = { ...headers, "content-length": String(Buffer.byteLength(text)), connection: "close" };
  return { status, lines, text };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  // A connection whose request was under way is kept by its caller once it is answered, who sends nothing more on it.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
