import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Context, Env, Hono } from "hono";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

/** Only what this service itself serves; nothing is evaluated, framed or sent elsewhere. */
export const CONTENT_SECURITY_POLICY = [
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

const securityHeaders = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
};

/** Addresses of the console; each is the same page, which looks at the address itself. */
export const CONSOLE_PATHS = [
  "/",
  "/capabilities/:id",
  "/sign",
  "/verify",
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
  "/stats",
  "/log",
] as const;

const consoleAddresses = CONSOLE_PATHS.map((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`));
/** What is asked for by programs, also by those that call themselves browsers. */
const MACHINE_PATHS = /^\/(api|assets|mcp|\.well-known)(\/|$)|\.(json|txt|js|css|map|svg|ico)$/;

interface StaticFile {
  readonly type: string;
  readonly etag: string;
  /** Compressed when it is first asked for, then kept: starting does not wait for it. */
  encode(encoding: Encoding): Uint8Array<ArrayBuffer>;
}

type Encoding = "br" | "gzip" | "identity";
const encoders: Record<Encoding, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
};

/** The built console in memory. Empty when it was not built. */
export function loadConsole(folder: string): ReadonlyMap<string, StaticFile> {
  if (!existsSync(join(folder, "index.html"))) return new Map();
  const files = new Map<string, StaticFile>();
  const visit = (path: string) => {
    for (const name of readdirSync(join(folder, path))) {
      const inner = `${path}/${name}`;
      if (statSync(join(folder, inner)).isDirectory()) visit(inner);
      else files.set(inner, toStaticFile(readFileSync(join(folder, inner)), name));
    }
  };
  visit("");
  return files;
}

function toStaticFile(bytes: Buffer, name: string): StaticFile {
  const encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  return {
    type: types[extname(name)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`,
    encode(encoding) {
      const known = encoded.get(encoding) ?? new Uint8Array(encoders[encoding](bytes));
      encoded.set(encoding, known);
      return known;
    },
  };
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
  // Last, so that it is asked only about addresses that nothing else answers.
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

function send(
  c: Context,
  { type, etag, encode }: StaticFile,
  cacheControl: string,
  status: 200 | 404 = 200,
): Response {
  const headers = { ...securityHeaders, "cache-control": cacheControl, etag, vary: "accept-encoding" };
  if (status === 200 && c.req.header("if-none-match") === etag) return c.body(null, 304, headers);
  const accepted = c.req.header("accept-encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  return c.body(encode(encoding), status, {
    ...headers,
    "content-type": type,
    ...(encoding !== "identity" && { "content-encoding": encoding }),
  });
}
