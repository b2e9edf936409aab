import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** How a file in `pages/` is announced; by default HTML in UTF-8. */
const TYPES: Readonly<Record<string, string>> = {
  "koi8-r.html": "text/html; charset=koi8-r",
  "windows-1252.html": "text/html; charset=windows-1252",
  "shift-jis.html": "text/html",
  "chinese-gb18030.html": "text/html",
  "data.json": "application/json",
  "plain.txt": "text/plain",
  "readme.md": "text/markdown; charset=utf-8",
};

const typeOf = (path: string) =>
  TYPES[path] ?? (path.endsWith(".pdf") ? "application/pdf" : "text/html; charset=utf-8");

export interface PageFiles {
  /** For `WEB_TEST_HOSTS` and settings of the same meaning. */
  readonly testHosts: ReadonlyMap<string, string>;
  urlOf(path: string): string;
  /** How often each path was asked for. */
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<unknown>;
}

const HOST = "golden.test";

/** Serves `pages/`, and further pages that a test gives, by path. */
export async function servePageFiles(
  others: Readonly<Record<string, string | Buffer>> = {},
): Promise<PageFiles> {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", `http://${HOST}`).pathname.slice(1);
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const body = others[path] ?? readPage(path);
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": typeOf(path) }).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    testHosts: new Map([[HOST, `127.0.0.1:${(server.address() as AddressInfo).port}`]]),
    urlOf: (path) => `http://${HOST}/${path}`,
    asked,
    close: () => new Promise((done) => server.close(done)),
  };
}

function readPage(name: string): Buffer | undefined {
  try {
    return readFileSync(new URL(`pages/${name}`, import.meta.url));
  } catch {
    return undefined;
  }
}
