import { z } from "zod";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { createDocumentHandler, documentHeaders, notModified } from "../createDocumentHandler.js";
import { guidance } from "../discovery/guidance.js";
import { buildDocument } from "../openapi/buildDocument.js";
import { loadRecordedExamples } from "../openapi/recordedExamples.js";
import { defineRoute } from "../route.js";

export const openApi = defineRoute({
  operation: {
    id: "getOpenApi",
    method: "get",
    path: "/openapi.json",
    tag: "service",
    summary: "This document",
    description: "Made from the schemas that validate requests, with the operator's prices.",
    answers: {
      200: {
        description: "OpenAPI 3.1.",
        schema: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
        headers: documentHeaders,
      },
      304: notModified,
    },
    problems: [],
  },
  createHandler: ({ prices, settings }: QuotesContext, { operations }) =>
    createDocumentHandler("application/json", () =>
      JSON.stringify(
        buildDocument(operations, prices, loadRecordedExamples(), {
          publicUrl: settings.publicUrl,
          guidance: guidance(settings.publicUrl),
        }),
      ),
    ),
});
