import {
  type ErrorCode,
  errorCodes,
  INTERFACE_VERSION,
  type JsonSchema,
  jsonSchemaOf,
  jsonSchemasOf,
  outputJsonSchemaOf,
  problemSchema,
  usdFromMicro,
} from "@assay/protocol";
import { z } from "zod";
import { statusOf } from "../errors.js";
import { headers as namedHeaders } from "./headers.js";
import { findName, namedSchemas, uriOf } from "./namedSchemas.js";
import { type Answer, type Fields, type HeaderName, type Operation, type Price, tags } from "./operation.js";
import { paymentRequired } from "./payment.js";
import type { RecordedExamples } from "./recordedExamples.js";

/** What the document says of the service as a whole. */
export interface DocumentInfo {
  readonly publicUrl: string;
  readonly description: string;
  /** Under 4,000 characters: it is put before agents together with other services'. */
  readonly guidance: string;
}

/** OpenAPI 3.1, from the operations and the schemas that validate them. */
export function buildDocument(
  operations: readonly Operation[],
  { publicUrl, description, guidance }: DocumentInfo,
  examples: RecordedExamples,
) {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method] = describeOperation(operation, examples);
    paths[operation.path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: INTERFACE_VERSION,
      summary: "Verdicts about Base that a stranger can recompute, paid per call with x402.",
      description,
      contact: { name: "The operator of this service", url: publicUrl },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      "x-guidance": guidance,
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: jsonSchemasOf(namedSchemas, uriOf),
      headers: Object.fromEntries(
        Object.entries(namedHeaders).map(([name, header]) => [name, { ...header, required: true }]),
      ),
      responses: describeProblems(operations),
    },
    "x-agentcash-guidance": { llmsTxtUrl: `${publicUrl}/llms.txt` },
  } as const;
}

function describeOperation(operation: Operation, examples: RecordedExamples): JsonSchema {
  const { id, tag, summary, description, deprecated, pathFields, query, headers, body, price, signs } =
    operation;
  const parameters = [
    ...listParameters("path", pathFields, operation.examples),
    ...listParameters("query", query, operation.examples),
    ...listParameters("header", headers, operation.examples),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    // Nothing here asks for an account or a key: a wallet pays, or signs the one action it asks for.
    security: [],
    ...(price && { "x-payment-info": { price: describePrice(price), protocols: [{ x402: {} }] } }),
    ...(signs && { "x-agent-action": signs }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: refer(body.schema), example: body.example } },
      },
    }),
    responses: describeResponses(operation, examples),
  };
}

function listParameters(
  place: "path" | "query" | "header",
  fields: Fields = {},
  examples: Readonly<Record<string, unknown>> = {},
): JsonSchema[] {
  return Object.entries(fields).map(([name, field]) => {
    const { description = field.description, ...schema } = schemaOfText(field);
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema,
      ...(examples[name] !== undefined && { example: examples[name] }),
    };
  });
}

/** A parameter is text; where it stands for a number, the document says which. */
function schemaOfText(field: z.ZodType): JsonSchema {
  let inner: unknown = field;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap();
  const isNumber = inner instanceof z.ZodPipe && inner.out instanceof z.ZodNumber;
  return isNumber ? outputJsonSchemaOf(field) : jsonSchemaOf(field);
}

function refer(schema: z.ZodType): JsonSchema {
  const name = findName(schema);
  return name === undefined ? jsonSchemaOf(schema) : { $ref: uriOf(name) };
}

function describePrice({ leastMicroUsd, mostMicroUsd }: Price) {
  const [min, max] = [leastMicroUsd, mostMicroUsd].map((micro) => String(usdFromMicro(micro)));
  return min === max
    ? { mode: "fixed", currency: "USD", amount: max }
    : { mode: "dynamic", currency: "USD", min, max };
}

function describeResponses(
  { id, answers, price, problems, someHeaders = [] }: Operation,
  examples: RecordedExamples,
): JsonSchema {
  const all: Record<number, JsonSchema> = {};
  const offered: Record<number, Answer> = { ...answers, ...(price && { 402: paymentRequired }) };
  for (const [status, answer] of Object.entries(offered))
    all[Number(status)] = describeAnswer(answer, someHeaders, examples[id]?.[status]);
  for (const [status, codes] of groupByStatus(problems))
    all[status] =
      someHeaders.length === 0
        ? { $ref: `#/components/responses/${nameProblem(codes)}` }
        : describeProblem(status, codes, someHeaders);
  return all as JsonSchema;
}

function describeAnswer(
  { description, schema, mediaType = "application/json", headers = [], someHeaders = [] }: Answer,
  ofRoute: readonly HeaderName[],
  example: RecordedExamples[string][string] | undefined,
): JsonSchema {
  return {
    description,
    headers: listHeaders(["X-Request-Id", ...headers], [...someHeaders, ...ofRoute]),
    ...(schema && {
      content: {
        [mediaType]: { schema: refer(schema), ...(example && { examples: { recorded: example } }) },
      },
    }),
  };
}

/** Every set of problems that shares a status on some route, once. */
function describeProblems(operations: readonly Operation[]): Record<string, JsonSchema> {
  const groups = operations.flatMap(({ problems }) => [...groupByStatus(problems)]);
  return Object.fromEntries(
    groups.map(([status, codes]) => [nameProblem(codes), describeProblem(status, codes)]),
  );
}

/** Such as `RateLimited`, or `InvalidInput-InvalidJson`. */
const nameProblem = (codes: readonly ErrorCode[]): string =>
  codes
    .map((code) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join("-");

/** A route's own problems and those of every route, in one order. */
function groupByStatus(problems: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  const all = new Set<ErrorCode>([...problems, "headers_too_large", "internal_error"]);
  for (const code of (Object.keys(errorCodes) as ErrorCode[]).filter((known) => all.has(known))) {
    const status = statusOf(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function describeProblem(
  status: number,
  codes: readonly ErrorCode[],
  ofRoute: readonly HeaderName[] = [],
): JsonSchema {
  const always: HeaderName[] = ["X-Request-Id", "Cache-Control"];
  const some = [...ofRoute];
  const retryable = codes.filter((code) => errorCodes[code].retryable).length;
  if (retryable > 0) (retryable === codes.length ? always : some).push("Retry-After");
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(" "),
    headers: listHeaders(always, some),
    content: {
      "application/problem+json": {
        schema: { ...refer(problemSchema), properties: { status: { const: status }, code: { enum: codes } } },
      },
    },
  };
}

/** Headers of every answer by reference; a reference cannot say that one may be absent, so the others are written out. */
const listHeaders = (always: readonly HeaderName[], some: readonly HeaderName[]): JsonSchema => ({
  ...Object.fromEntries(always.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  ...Object.fromEntries(some.map((name) => [name, { ...namedHeaders[name], required: false }])),
});
