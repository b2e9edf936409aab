import type { AgentActionName, ErrorCode } from "@assay/protocol";
import type { z } from "zod";
import type { PriceBook } from "../../quotes/priceBook.js";

/** What operations are grouped by, in the order a newcomer meets them. */
export const tags = {
  discovery: "What is sold, at what price, and whether it can be bought now. Free.",
  capabilities:
    "Verdicts, paid per call: 402 with the price until a payment comes with the request, and with the highest price to a request without any input. An answer states in blocks how long it holds.",
  receipts: "The state of a payment, the origin of an answer, and the log in which both can be found. Free.",
  claims: "Assertions about the chain that anyone may challenge; the chain alone decides.",
  market:
    "Work that wallets publish, demand that nobody has met, and what both earn. Free; writing is signed.",
  mcp: "The same capabilities for Model Context Protocol clients.",
  service: "Documents about this service, for machines and those who operate them. Free.",
} as const;

/** Parameters by name; an optional one accepts `undefined`. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** Response headers that mean something, by the names of `headers.ts`. */
export type HeaderName =
  | "X-Request-Id"
  | "Cache-Control"
  | "PAYMENT-REQUIRED"
  | "PAYMENT-RESPONSE"
  | "Retry-After"
  | "ETag"
  | "Age"
  | "Deprecation"
  | "Link";

/** One way in which an operation answers, other than by a problem. */
export interface Answer {
  /** Where it stands in `components.responses`, if several operations answer so. */
  readonly name?: string;
  readonly description: string;
  /** Absent where there is no body. */
  readonly schema?: z.ZodType;
  /** `application/json` by default. */
  readonly mediaType?: string;
  /** Besides those of every answer. */
  readonly headers?: readonly HeaderName[];
  /** Headers that only some of these answers have. */
  readonly someHeaders?: readonly HeaderName[];
}

export interface Price {
  readonly leastMicroUsd: bigint;
  readonly mostMicroUsd: bigint;
}

/** One path and method, from which its part of the document is made. */
export interface Operation {
  /** Stable, in camelCase: generators name functions after it. */
  readonly id: string;
  readonly method: "get" | "post";
  /** With parameters in braces. */
  readonly path: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly pathFields?: Fields;
  readonly query?: Fields;
  readonly headers?: Fields;
  /** Values that show the form of parameters, by name. */
  readonly examples?: Readonly<Record<string, unknown>>;
  readonly body?: { readonly schema: z.ZodType; readonly example: unknown };
  /** Present where the route answers 402. */
  readonly price?: (prices: PriceBook) => Price;
  /** Present where the route takes a signed action. */
  readonly signs?: { readonly action: AgentActionName; readonly resource: string };
  /** Every answer is of the moment or one caller's own, so it carries `Cache-Control: no-store`. */
  readonly noStore?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** The operation whose recorded answers are shown here; its own by default. */
  readonly answersLike?: string;
  /** Headers that any answer of the route may have. The description says whether its problems have them. */
  readonly someHeaders?: readonly HeaderName[];
  /** Every problem the route answers with, besides those of every route. */
  readonly problems: readonly ErrorCode[];
}
