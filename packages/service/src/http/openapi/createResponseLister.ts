import { isDeepStrictEqual } from "node:util";
import { type ErrorCode, errorCodes, type JsonSchema, problemSchema } from "@assay/protocol";
import { statusOf } from "../errors.js";
import type { Components } from "./createComponents.js";
import { headers as describedHeaders } from "./headers.js";
import { refer } from "./namedSchemas.js";
import type { Answer, HeaderName, Operation } from "./operation.js";
import { paymentRequired } from "./payment.js";
import type { RecordedExamples } from "./recordedExamples.js";
import { shortenExample } from "./shortenExample.js";

interface Sources {
  readonly recorded: RecordedExamples;
  /** The shapes of `components.schemas`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly components: Components;
}

/** The problems of one status that an operation answers with, under the name of their response. */
interface ProblemGroup {
  readonly name: string;
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

/** The responses of an operation by status. */
export type ResponseLister = (operation: Operation) => JsonSchema;

/** Writes a response where it is given, or once in `components` when several operations may give it. */
export function createResponseLister(operations: readonly Operation[], sources: Sources): ResponseLister {
  verifyProblemNames(operations);
  return (operation) => {
    const { refer: share } = sources.components;
    const answers = Object.entries(listAnswers(operation)).map(([status, answer]) => {
      const describe = () => describeAnswer(operation, status, answer, sources);
      // A route that adds headers to its answers shares none of them.
      const isShared = answer.name !== undefined && operation.someHeaders === undefined;
      return [status, isShared ? share("responses", answer.name, describe) : describe()];
    });
    const problems = groupProblems(operation).map((group) => [
      group.status,
      share("responses", group.name, () => describeProblems(group, sources)),
    ]);
    return Object.fromEntries([...answers, ...problems]);
  };
}

/** Two groups of problems under one name would be described by the first of them. */
function verifyProblemNames(operations: readonly Operation[]): void {
  const codesByName = new Map<string, string>();
  for (const { name, codes } of operations.flatMap(groupProblems)) {
    if ((codesByName.get(name) ?? String(codes)) !== String(codes))
      throw new Error(`two responses with different problems are called ${name}`);
    codesByName.set(name, String(codes));
  }
}

const listAnswers = ({ answers, price }: Operation): Readonly<Record<number, Answer>> => ({
  ...answers,
  ...(price && { 402: paymentRequired }),
});

function describeAnswer(
  operation: Operation,
  status: string,
  { name, description, schema, mediaType = "application/json", headers = [], someHeaders = [] }: Answer,
  sources: Sources,
): JsonSchema {
  const always: HeaderName[] = ["X-Request-Id", ...(operation.noStore ? NO_STORE : []), ...headers];
  const shape = schema && refer(schema);
  const example = shape && findExample(operation, status, name, sources.recorded);
  return {
    description,
    headers: listHeaders(always, [...someHeaders, ...(operation.someHeaders ?? [])], sources),
    ...(shape && {
      content: {
        [mediaType]: {
          schema: shape,
          ...(example && {
            examples: {
              recorded: sources.components.refer("examples", example.name, () => ({
                value: shortenExample(example.value, shape, sources.schemas),
              })),
            },
          }),
        },
      },
    }),
  };
}

const NO_STORE = ["Cache-Control"] as const;

/** The recorded answer of the operation; for a shared one the first answer of that status that was recorded. */
function findExample(
  { id, answersLike = id }: Operation,
  status: string,
  sharedName: string | undefined,
  recorded: RecordedExamples,
): { readonly name: string; readonly value: unknown } | undefined {
  const answers = sharedName
    ? Object.values(recorded).find((ofOperation) => status in ofOperation)
    : recorded[answersLike];
  if (!answers || !(status in answers)) return undefined;
  // A repeated action is often answered as the first one was, with another status.
  const first = Object.keys(answers).find((other) => isDeepStrictEqual(answers[other], answers[status]));
  return { name: sharedName ?? `${answersLike}-${first}`, value: answers[status] };
}

/** An operation's own problems and those of every operation, by status and in one order. */
function groupProblems({ problems }: Operation): ProblemGroup[] {
  const all = new Set<ErrorCode>([...problems, "headers_too_large", "internal_error"]);
  const groups = new Map<number, ErrorCode[]>();
  for (const code of (Object.keys(errorCodes) as ErrorCode[]).filter((known) => all.has(known)))
    groups.set(statusOf(code), [...(groups.get(statusOf(code)) ?? []), code]);
  return [...groups].map(([status, codes]) => ({ name: nameProblems(codes), status, codes }));
}

/** Such as `RateLimited`, `InvalidInput-InvalidJson` or `PaymentInFlight-and-5-more`. */
function nameProblems(codes: readonly ErrorCode[]): string {
  const names = codes.map((code) =>
    code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  return names.length <= 3 ? names.join("-") : `${names[0]}-and-${names.length - 1}-more`;
}

function describeProblems({ status, codes }: ProblemGroup, sources: Sources): JsonSchema {
  const always: HeaderName[] = ["X-Request-Id", "Cache-Control"];
  const some: HeaderName[] = [];
  const retryable = codes.filter((code) => errorCodes[code].retryable).length;
  if (retryable > 0) (retryable === codes.length ? always : some).push("Retry-After");
  return {
    description: codes.map((code) => `${errorCodes[code].title}.`).join(" "),
    headers: listHeaders(always, some, sources),
    content: {
      "application/problem+json": {
        schema: { ...refer(problemSchema), properties: { status: { const: status }, code: { enum: codes } } },
      },
    },
  };
}

/** Almost every answer refers to these, and the document has to stay small. */
const SHORT_NAMES: Partial<Record<HeaderName, string>> = { "X-Request-Id": "Id", "Cache-Control": "Cache" };

/** Headers that every such answer has, and those that only some have. A reference cannot say which, so each header has two. */
function listHeaders(
  always: readonly HeaderName[],
  some: readonly HeaderName[],
  { components }: Sources,
): JsonSchema {
  const describe = (name: HeaderName, required: boolean) =>
    components.refer("headers", required ? (SHORT_NAMES[name] ?? name) : `${name}-optional`, () => ({
      ...describedHeaders[name],
      required,
    }));
  return Object.fromEntries([
    ...always.map((name) => [name, describe(name, true)]),
    ...some.map((name) => [name, describe(name, false)]),
  ]);
}
