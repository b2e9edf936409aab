import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { PriceBook } from "../../quotes/priceBook.js";
import type { Settings } from "../../settings.js";
import { buildX402Manifest } from "../discovery/buildX402Manifest.js";
import { guidance } from "../discovery/guidance.js";
import { writeLlmsText } from "../discovery/writeLlmsText.js";
import { buildDocument } from "../openapi/buildDocument.js";
import { listOperations } from "../openapi/listOperations.js";
import { loadRecordedExamples } from "../openapi/recordedExamples.js";

interface DocumentsContext {
  readonly prices: PriceBook;
  readonly settings: Settings;
}

/** The documents that say what is served here; each is made when it is first asked for, and kept. */
export function createDocumentRoutes(context: DocumentsContext) {
  const { prices, settings } = context;
  return {
    openApi: serve("application/json", () => JSON.stringify(describeService(context))),
    llmsText: serve("text/markdown; charset=utf-8", () => writeLlmsText(prices, settings.publicUrl)),
    x402Manifest: serve("application/json", () => JSON.stringify(buildX402Manifest(prices, settings))),
  };
}

function describeService({ prices, settings: { publicUrl } }: DocumentsContext) {
  return buildDocument(
    listOperations(prices),
    {
      publicUrl,
      description:
        "Each paid call returns a decision contract: a verdict, the evidence behind it, explicit limitations, a validity window in blocks, and a receipt. There are no accounts: a wallet is the identity. Errors are RFC 9457 problems with a stable `code`; 402 bodies are x402's. Every route may be called from browsers of any origin (CORS), with the payment headers exposed. Unknown paths are 404, other methods 405 with `Allow`. Prices are the operator's of this moment; the live 402 counts. Examples were recorded on the local chain that `npm start` brings.",
      guidance: guidance(publicUrl),
    },
    loadRecordedExamples(),
  );
}

/** Answers from bytes made once, 304 to whoever has them already (RFC 9110, section 13.1.2). */
function serve(contentType: string, write: () => string): (c: Context) => Promise<Response> {
  let made: { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string } | undefined;
  return async (c) => {
    if (!made) {
      const bytes = new Uint8Array(Buffer.from(write()));
      made = { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
    }
    c.header("etag", made.etag);
    c.header("cache-control", "public, max-age=300");
    const known = c.req.header("if-none-match")?.split(",") ?? [];
    if (known.some((tag) => tag.trim().replace(/^W\//, "") === made?.etag)) return c.body(null, 304);
    return c.body(made.bytes, 200, { "content-type": contentType });
  };
}
