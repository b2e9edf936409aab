import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Context } from "hono";

type Encoding = "br" | "gzip" | "identity";
const encoders: Record<Encoding, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
};

/** Bytes that do not change: sent compressed to callers that accept it, and as 304 to callers that have them already. */
export interface KeptBody {
  /** With 404 it replaces what was asked for, so it is never 304. */
  send(c: Context, headers: Readonly<Record<string, string>>, status?: 404): Response;
}

export function keepBody(bytes: Buffer): KeptBody {
  /** Compressed when first asked for, then kept, so that start-up does not wait for it. */
  const encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  // Weak: one tag for every coding of the same content (RFC 9110, section 8.8.1).
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
  return {
    send(c, { "content-type": type = "application/octet-stream", ...rest }, status) {
      const headers = { ...rest, etag, vary: "accept-encoding" };
      if (!status && hasAlready(c, etag)) return c.body(null, 304, headers);
      const encoding = chooseEncoding(c.req.header("accept-encoding") ?? "");
      const body = encoded.get(encoding) ?? new Uint8Array(encoders[encoding](bytes));
      encoded.set(encoding, body);
      return c.body(body, status ?? 200, {
        ...headers,
        "content-type": type,
        ...(encoding !== "identity" && { "content-encoding": encoding }),
      });
    },
  };
}

/** If-None-Match compares weakly, and `*` matches any content (RFC 9110, section 13.1.2). */
function hasAlready(c: Context, etag: string): boolean {
  const known = (c.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim());
  const opaque = etag.replace(/^W\//, "");
  return known.some((tag) => tag === "*" || tag.replace(/^W\//, "") === opaque);
}

/** A coding with `q=0` is one that the caller refuses (RFC 9110, section 12.5.3). */
function chooseEncoding(accepted: string): Encoding {
  const taken = accepted
    .split(",")
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(";")[0]?.trim());
  return taken.includes("br") ? "br" : taken.includes("gzip") ? "gzip" : "identity";
}
