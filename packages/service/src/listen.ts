import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AssayError } from "@assay/protocol";
import { getRequestListener } from "@hono/node-server";
import type { ChallengeMemory } from "./http/challengeMemory.js";
import { toProblemResponse } from "./http/errors.js";
import { MAX_HEADER_BYTES } from "./http/readInput.js";

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets requests in progress finish, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export function listen(
  app: { readonly fetch: Parameters<typeof getRequestListener>[0] },
  host: string,
  port: number,
  challenges?: ChallengeMemory,
): Promise<Listener> {
  const route = getRequestListener(app.fetch);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      if (!server.listening) response.setHeader("connection", "close");
      if (namesTwoHosts(request)) return answerBrokenRequest(new Error("two Host lines"), request.socket);
      if (!challenges?.tryAnswer(request, response)) void route(request, response);
    },
  );
  server.on("clientError", answerBrokenRequest);
  return new Promise((ready, fail) => {
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      ready({ port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) });
    });
  });
}

/** To be refused (RFC 9112, section 3.2): whoever stands before may have gone by the other one. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** Node rejects these before any route runs; they still get a problem document. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: import("node:stream").Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const cause = tooLarge
    ? new AssayError("headers_too_large", `Request headers must be at most ${MAX_HEADER_BYTES} bytes.`)
    : new AssayError("invalid_input", "The request is not valid HTTP.");
  const { status, headers, body } = toProblemResponse(cause, "-");
  const text = JSON.stringify(body);
  const reason = tooLarge ? "Request Header Fields Too Large" : "Bad Request";
  const lines = Object.entries({
    ...headers,
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`,
  );
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
