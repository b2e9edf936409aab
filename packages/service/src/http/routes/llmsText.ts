import { z } from "zod";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { createDocumentHandler, documentHeaders, notModified } from "../createDocumentHandler.js";
import { writeLlmsText } from "../discovery/writeLlmsText.js";
import { defineRoute } from "../route.js";

export const llmsText = defineRoute({
  operation: {
    id: "getLlmsText",
    method: "get",
    path: "/llms.txt",
    tag: "service",
    summary: "The service on one page for agents, in Markdown",
    description: "How to buy and read an answer, every capability with its price and input, and links.",
    answers: {
      200: {
        description: "Markdown.",
        schema: z.string(),
        mediaType: "text/markdown",
        headers: documentHeaders,
      },
      304: notModified,
    },
    problems: [],
  },
  createHandler: ({ prices, settings }: QuotesContext) =>
    createDocumentHandler("text/markdown; charset=utf-8", () => writeLlmsText(prices, settings.publicUrl)),
});
