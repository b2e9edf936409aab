import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a caller sees instead of the service's answer to a paid request. */
export type Fault = "drop" | "unavailable" | "html";

export interface UnreliableProxy {
  readonly url: string;
  /** The PAYMENT-SIGNATURE of every paid request that arrived. */
  readonly payments: string[];
  /** Faults still to come, one per paid request. */
  faults: Fault[];
  stop(): Promise<void>;
}

/** Forwards requests; replaces the answer to a paid one by a fault after the service has given it. */
export async function startUnreliableProxy(target: string): Promise<UnreliableProxy> {
  const payments: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const payment = request.headers["payment-signature"];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    const upstream = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: {
        ...(typeof payment === "string" && { "payment-signature": payment }),
        ...(sent.length > 0 && { "content-type": "application/json" }),
      },
      ...(sent.length > 0 && { body: sent }),
    });
    const body = Buffer.from(await upstream.arrayBuffer());
    const fault = typeof payment === "string" ? proxy.faults.shift() : undefined;
    if (typeof payment === "string") payments.push(payment);
    if (fault === "drop") {
      request.socket.destroy();
      return;
    }
    if (fault === "unavailable") {
      const problem = {
        type: "about:blank",
        title: "The outcome of this payment is not known yet",
        status: 503,
        detail: "Retry the same payload.",
        code: "payment_outcome_unknown",
        requestId: "proxy",
      };
      response.writeHead(503, { "content-type": "application/problem+json", "retry-after": "0" });
      response.end(JSON.stringify(problem));
      return;
    }
    if (fault === "html") {
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
      return;
    }
    response.writeHead(upstream.status, Object.fromEntries(upstream.headers)).end(body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const proxy: UnreliableProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    faults: [],
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
