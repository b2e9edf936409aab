import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Between callers and processes: requests go to processes in turn, and on to the next where one does not take them. */
export interface Balancer {
  readonly url: string;
  /** Addresses of all processes, found as Docker's DNS finds them. */
  readonly processes: Set<string>;
  /** Where the next process has to listen; nothing where any place will do. */
  placeNext(): Readonly<Record<string, string>>;
  /** Requests that another process got because the first one had closed, where the balancer says so. */
  passedOn(): number | undefined;
  /** What it reported as going wrong, the last lines. */
  errors(): readonly string[];
  close(): Promise<void>;
}

const HEALTH_MS = 250;

export async function startBalancer(): Promise<Balancer> {
  const processes = new Set<string>();
  const unhealthy = new Set<string>();
  let [turn, passedOn] = [0, 0];

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, tried: ReadonlySet<string>): void {
    const known = [...processes].filter((url) => !tried.has(url));
    const healthy = known.filter((url) => !unhealthy.has(url));
    const candidates = healthy.length > 0 ? healthy : known;
    turn += 1;
    const target = candidates[turn % Math.max(1, candidates.length)];
    if (target === undefined) {
      outgoing.writeHead(502).end();
      return;
    }
    const { method, headers, url } = incoming;
    const sent = request(target + url, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once("error", () => outgoing.destroy());
    });
    sent.once("error", () => {
      if (outgoing.headersSent) return void outgoing.destroy();
      unhealthy.add(target);
      passedOn += 1;
      forward(incoming, outgoing, new Set([...tried, target]));
    });
    // Only requests without a body come here, so that each can be sent again.
    sent.end();
  }

  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, new Set()));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const timer = setInterval(async () => {
    for (const url of processes) {
      const isHealthy = await fetch(`${url}/api/v1/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isHealthy) unhealthy.delete(url);
      else unhealthy.add(url);
    }
  }, HEALTH_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    processes,
    placeNext: () => ({}),
    passedOn: () => passedOn,
    errors: () => [],
    close: () =>
      new Promise((closed) => {
        clearInterval(timer);
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
