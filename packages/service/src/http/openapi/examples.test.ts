import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseExampleAddress } from "../../../test/examples/exampleAddress.js";
import { listKeyPaths } from "../../../test/examples/listKeyPaths.js";
import { recordExamples } from "../../../test/recordExamples.js";
import { startTestService, type TestService } from "../../../test/startTestService.js";
import { loadRecordedExamples, type RecordedExamples } from "./recordedExamples.js";
import { createAnswerCheck } from "./testing/createAnswerCheck.js";
import {
  type Document,
  type DocumentExample,
  type DocumentResponse,
  listPlaced,
  resolve,
} from "./testing/readDocument.js";

let service: TestService;
let document: Document;
let recorded: RecordedExamples;
const kept = loadRecordedExamples();
beforeAll(async () => {
  const { env, origin } = await chooseExampleAddress();
  service = await startTestService({ RATE_LIMITS: "off", ...env });
  document = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
  recorded = await recordExamples(service, origin);
});
afterAll(() => service.stop());

/** Every response with a body that the document describes, with the example it gives. */
const listAnswers = () =>
  listPlaced(document).flatMap(({ route, operation }) =>
    Object.entries(operation.responses).flatMap(([status, listed]) => {
      const { content = {} } = resolve<DocumentResponse>(document, listed);
      const [mediaType, media] = Object.entries(content)[0] ?? [];
      if (!media) return [];
      const shown = media.examples && resolve<DocumentExample>(document, media.examples.recorded);
      return [{ route, operation, status, mediaType, example: shown?.value }];
    }),
  );
const isSuccess = (status: string) => status.startsWith("2");

test("every success, and every price, has an example", () => {
  const without = listAnswers().filter(
    ({ status, example }) => (isSuccess(status) || status === "402") && example === undefined,
  );
  expect(without.map(({ route, status }) => `${route} ${status}`)).toEqual([]);
  expect(listAnswers().length).toBeGreaterThan(150);
});

/** Examples that are not of the shape their response is said to have: those shown, and all that were recorded. */
function listFaults(one: Document): string[] {
  const check = createAnswerCheck(one);
  return listAnswers().flatMap(({ route, operation, status, mediaType = "", example }) => {
    const headers = { get: (name: string) => (name === "content-type" ? mediaType : "") };
    return [example, kept[operation.operationId]?.[status]].flatMap((value) => {
      if (value === undefined) return [];
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return check(route, { status: Number(status), headers, text });
    });
  });
}

test("every example is of the shape that its response is said to have", () => {
  expect(listFaults(document)).toEqual([]);
});

test("a shape that no longer has one of an example's fields is found", () => {
  const altered = structuredClone(document);
  const { Quote } = altered.components.schemas as Record<string, { properties: Record<string, unknown> }>;
  delete Quote?.properties.expiresAt;
  expect(listFaults(altered)[0]).toMatch(/^GET \/api\/v1\/quotes answers 200 with another shape/);
});

const structureOf = (examples: RecordedExamples) =>
  Object.entries(examples).flatMap(([id, answers]) =>
    Object.entries(answers).flatMap(([status, value]) => listKeyPaths(value, `${id} ${status}`)),
  );

function differences(before: RecordedExamples, after: RecordedExamples): string[] {
  const [were, are] = [new Set(structureOf(before)), new Set(structureOf(after))];
  return [
    ...[...were].filter((path) => !are.has(path)).map((path) => `- ${path}`),
    ...[...are].filter((path) => !were.has(path)).map((path) => `+ ${path}`),
  ];
}

test("recorded again, every example has the same fields: else run `npm run examples`", () => {
  expect(differences(kept, recorded)).toEqual([]);
});

test("a field that came, went or was renamed since then is found", () => {
  const drifted = structuredClone(kept) as Record<string, Record<string, Record<string, unknown>>>;
  const quote = drifted.getQuote?.[200] ?? {};
  quote.price = quote.priceUsd;
  delete quote.priceUsd;
  expect(differences(kept, drifted)).toEqual(["- getQuote 200.priceUsd", "+ getQuote 200.price"]);
});
