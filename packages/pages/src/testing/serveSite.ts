import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createPageFetcher, type PageFetcherOptions } from "../fetchPage.js";

export interface TestSite {
  readonly host: string;
  readonly place: string;
  /** Connections accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A site on this machine under a name that only a fetcher with `webTestHosts` can resolve. */
export async function serveSite(
  host: string,
  listener: RequestListener,
  secure?: { key: string; cert: string },
): Promise<TestSite> {
  const server = secure ? createSecureServer(secure, listener) : createServer(listener);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host,
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function createFetcherFor(
  sites: readonly TestSite[],
  options: Omit<PageFetcherOptions, "settings"> = {},
) {
  const webTestHosts = new Map(sites.map(({ host, place }) => [host, place]));
  return createPageFetcher({ settings: { publicUrl: "https://assay.example", webTestHosts }, ...options });
}
