import { uriOf } from "./namedSchemas.js";
import type { HeaderName } from "./operation.js";

/** What base64 text holds: JSON of a named shape (JSON Schema 2020-12, validation, section 8). */
export const base64JsonOf = (name: string) => ({
  contentEncoding: "base64",
  contentMediaType: "application/json",
  contentSchema: { $ref: uriOf(name) },
});

/** What `components.headers` says about each. */
export const headers: Readonly<
  Record<HeaderName, { readonly description: string; readonly schema: object }>
> = {
  "X-Request-Id": {
    description: "Names this request in the operator's logs; problems repeat it.",
    schema: { type: "string" },
  },
  "Cache-Control": { description: "RFC 9111.", schema: { type: "string" } },
  "PAYMENT-REQUIRED": {
    description: "Standard base64 of the body, as x402 version 2 clients read it.",
    schema: { type: "string", ...base64JsonOf("PaymentRequired") },
  },
  "PAYMENT-RESPONSE": {
    description: "After settlement: standard base64 of JSON with success, transaction, network and payer.",
    schema: { type: "string", contentEncoding: "base64", contentMediaType: "application/json" },
  },
  "Retry-After": {
    description: "Seconds to wait. A paid call is retried with the same payment, never with a new one.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  ETag: { description: "For If-None-Match (RFC 9110).", schema: { type: "string" } },
  Age: { description: "Seconds since the answer was computed (RFC 9111).", schema: { type: "string" } },
  Deprecation: {
    description: "Since when the route is deprecated (RFC 9745).",
    schema: { type: "string", pattern: "^@[0-9]+$" },
  },
  Link: {
    description: "The route that takes its place, as `successor-version`.",
    schema: { type: "string" },
  },
};
