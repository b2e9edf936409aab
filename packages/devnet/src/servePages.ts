import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { samplePages } from "./samplePages.js";

export interface PageServer {
  /** A name that does not resolve (RFC 6761); a reader of the pages is configured with their place. */
  host: string;
  /** `127.0.0.1:port` */
  place: string;
  urls: string[];
  close(): Promise<void>;
}

const HOST = "pages.assay.test";

/** Serves the sample pages to this machine, with a robots.txt that disallows one path. */
export async function servePages(): Promise<PageServer> {
  const server = createServer((request, response) => {
    const page = samplePages[request.url ?? ""];
    if (request.url === "/robots.txt")
      response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /for-people\n");
    else if (request.url === "/moved") response.writeHead(301, { location: "/article" }).end();
    else if (page) response.writeHead(200, { "content-type": page.type }).end(page.body);
    else response.writeHead(404, { "content-type": "text/plain" }).end("Not found.\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    host: HOST,
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    urls: [...Object.keys(samplePages), "/moved"].map((path) => `http://${HOST}${path}`),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
