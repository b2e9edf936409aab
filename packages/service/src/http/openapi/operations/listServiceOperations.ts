import { serviceDescriptionSchema, x402ManifestSchema } from "@assay/protocol";
import { z } from "zod";
import type { HeaderName, Operation } from "../operation.js";

/** Documents that change only with the prices. */
const fixedHeaders = ["Cache-Control", "ETag"] as const satisfies readonly HeaderName[];

export function listServiceOperations(): Operation[] {
  return [
    {
      id: "getServiceDescription",
      method: "get",
      path: "/.well-known/assay.json",
      tag: "service",
      summary: "The keys to check answers and the log with, the signing domain, limits and links",
      answers: {
        200: { description: "The description.", schema: serviceDescriptionSchema, headers: fixedHeaders },
        304: { description: "As it was when the ETag was given.", headers: fixedHeaders },
      },
      problems: [],
    },
    {
      id: "getX402Manifest",
      method: "get",
      path: "/.well-known/x402",
      tag: "service",
      summary: "Every paid route with its highest price, as x402 crawlers read it",
      answers: {
        200: { description: "The manifest.", schema: x402ManifestSchema, headers: fixedHeaders },
        304: { description: "As it was when the ETag was given.", headers: fixedHeaders },
      },
      problems: [],
    },
    {
      id: "getOpenApi",
      method: "get",
      path: "/openapi.json",
      tag: "service",
      summary: "This document",
      answers: {
        200: {
          description: "OpenAPI 3.1.",
          schema: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
          headers: fixedHeaders,
        },
        304: { description: "As it was when the ETag was given.", headers: fixedHeaders },
      },
      problems: [],
    },
    {
      id: "getLlmsText",
      method: "get",
      path: "/llms.txt",
      tag: "service",
      summary: "What agents should know of this service, in Markdown",
      answers: {
        200: {
          description: "Markdown.",
          schema: z.string(),
          mediaType: "text/markdown",
          headers: fixedHeaders,
        },
        304: { description: "As it was when the ETag was given.", headers: fixedHeaders },
      },
      problems: [],
    },
    {
      id: "getMetrics",
      method: "get",
      path: "/metrics",
      tag: "service",
      summary: "Metrics for Prometheus",
      answers: {
        200: {
          description: "The text format; no address, id or input is in it.",
          schema: z.string(),
          mediaType: "text/plain",
        },
      },
      problems: [],
    },
  ];
}
