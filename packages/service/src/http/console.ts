import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { Context, Env, Hono } from "hono";
import { type KeptBody, keepBody } from "./keptBody.js";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

/** Only files of this service; nothing is evaluated, framed or sent elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export const securityHeaders = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
};

/** Addresses of the console. Each is the same page, which reads its address in the browser. */
export const CONSOLE_PATHS = [
  "/",
  "/capabilities/:id",
  "/sign",
  "/verify",
  "/records",
  "/receipts",
  "/receipts/:id",
  "/evidence",
  "/evidence/:id",
  "/claims",
  "/claims/:id",
  "/obligations",
  "/bounties",
  "/publishers",
  "/publishers/:wallet",
  "/wallet",
  "/wallet/:wallet",
  "/recorded/:name",
  "/shared/:id/:key",
  "/stats",
  "/status",
  "/log",
] as const;

const consoleAddresses = CONSOLE_PATHS.map((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`));
/** Paths that programs ask for, including those that present themselves as browsers. */
const MACHINE_PATHS = /^\/(api|assets|mcp|\.well-known)(\/|$)|\.(json|txt|js|css|map|svg|ico)$/;

interface StaticFile {
  readonly type: string;
  /** As it was built. */
  readonly bytes: Buffer;
  readonly body: KeptBody;
}

/** The built console in memory. Empty when it was not built. */
export function loadConsole(folder: string): ReadonlyMap<string, StaticFile> {
  if (!existsSync(join(folder, "index.html"))) return new Map();
  const files = new Map<string, StaticFile>();
  const visit = (path: string) => {
    for (const name of readdirSync(join(folder, path))) {
      const inner = `${path}/${name}`;
      if (statSync(join(folder, inner)).isDirectory()) visit(inner);
      else {
        const type = types[extname(name)] ?? "application/octet-stream";
        const bytes = readFileSync(join(folder, inner));
        files.set(inner, { type, bytes, body: keepBody(bytes) });
      }
    }
  };
  visit("");
  return files;
}

export interface Site {
  readonly files: ReadonlyMap<string, StaticFile>;
  /** The local chain with its test wallets, whose keys are no secret; undefined on a real one. */
  readonly devnet: object | undefined;
}

/** Serves the console at every address it has, its files by their names, and on the local chain its test wallets. */
export function addConsole<E extends Env>(app: Hono<E>, { files, devnet }: Site): void {
  const index = files.get("/index.html");
  if (!index) return;
  for (const path of CONSOLE_PATHS) app.get(path, (c) => send(c, index, "no-cache"));
  for (const [path, file] of files) {
    if (path === "/index.html") continue;
    // Built files carry a hash of their content in their name.
    const isNamedByContent = path.startsWith("/assets/");
    app.get(path, (c) =>
      send(c, file, isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache"),
    );
  }
  if (devnet !== undefined)
    app.get("/devnet.json", (c) => c.json(devnet, 200, { "cache-control": "no-store" }));
  // Last, so that it sees only addresses that nothing else answers.
  app.get("*", (c) => {
    const { pathname, search } = new URL(c.req.url);
    const plain = pathname.replace(/\/+$/, "");
    if (plain !== pathname && consoleAddresses.some((address) => address.test(plain)))
      return c.redirect(`${plain}${search}`, 301);
    const isBrowser = c.req.header("accept")?.includes("text/html") === true;
    // Programs read problems, people pages: both get the same status.
    return isBrowser && !MACHINE_PATHS.test(pathname) ? send(c, index, "no-cache", 404) : c.notFound();
  });
}

const send = (c: Context, { type, body }: StaticFile, cacheControl: string, status?: 404): Response =>
  body.send(c, { ...securityHeaders, "cache-control": cacheControl, "content-type": type }, status);
