import { x402ManifestSchema } from "@assay/protocol";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { createDocumentHandler, documentHeaders, notModified } from "../createDocumentHandler.js";
import { buildX402Manifest } from "../discovery/buildX402Manifest.js";
import { defineRoute } from "../route.js";

export const x402Manifest = defineRoute({
  operation: {
    id: "getX402Manifest",
    method: "get",
    path: "/.well-known/x402",
    tag: "service",
    summary: "Every paid route with its highest price, as x402 crawlers read it",
    description: "The price of one call is in its quote or its live 402.",
    answers: {
      200: { description: "The manifest.", schema: x402ManifestSchema, headers: documentHeaders },
      304: notModified,
    },
    problems: [],
  },
  createHandler: ({ prices, settings }: QuotesContext) =>
    createDocumentHandler("application/json", () => JSON.stringify(buildX402Manifest(prices, settings))),
});
