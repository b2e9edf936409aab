import type { Context } from "hono";
import type { LogContext } from "../../log/signedHeads.js";
import type { PaymentsContext } from "../../payments/serveReserved.js";
import { buildX402Manifest } from "../discovery/buildX402Manifest.js";
import { guidance } from "../discovery/guidance.js";
import { writeLlmsText } from "../discovery/writeLlmsText.js";
import { type KeptBody, keepBody } from "../keptBody.js";
import { buildDocument } from "../openapi/buildDocument.js";
import { listOperations } from "../openapi/listOperations.js";
import { loadRecordedExamples } from "../openapi/recordedExamples.js";
import { describeService } from "./serviceDescription.js";

interface DocumentsContext extends PaymentsContext, LogContext {}

/** The documents that say what is served here; each is made when it is first asked for, and kept. */
export function createDocumentRoutes(context: DocumentsContext) {
  const { prices, settings } = context;
  return {
    openApi: serve("application/json", () => JSON.stringify(describeRoutes(context))),
    llmsText: serve("text/markdown; charset=utf-8", () => writeLlmsText(prices, settings.publicUrl)),
    // Short: a verifier must hear of a new key soon.
    service: serve("application/json", () => JSON.stringify(describeService(context)), 60),
    x402Manifest: serve("application/json", () => JSON.stringify(buildX402Manifest(prices, settings))),
  };
}

function describeRoutes({ prices, settings: { publicUrl } }: DocumentsContext) {
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

/** Answers from bytes made once. */
function serve(
  contentType: string,
  write: () => string,
  maxAgeSeconds = 300,
): (c: Context) => Promise<Response> {
  let made: KeptBody | undefined;
  return async (c) => {
    made ??= keepBody(Buffer.from(write()));
    return made.send(c, {
      "content-type": contentType,
      "cache-control": `public, max-age=${maxAgeSeconds}`,
    });
  };
}
