import { expect, test } from "vitest";
import { createComponents } from "./createComponents.js";
import { createResponseLister } from "./createResponseLister.js";
import type { Operation } from "./operation.js";

const operation: Operation = {
  id: "getThing",
  method: "get",
  path: "/thing",
  tag: "service",
  summary: "A thing",
  description: "A thing.",
  answers: { 200: { description: "The thing." } },
  problems: ["rate_limited"],
};

const list = (operations: readonly Operation[]) => {
  const components = createComponents();
  const listResponses = createResponseLister(operations, { recorded: {}, schemas: {}, components });
  return { responses: operations.map(listResponses), components: components.all };
};

test("a problem that two operations answer with stands once", () => {
  const { responses, components } = list([operation, { ...operation, id: "getOther" }]);
  for (const one of responses) expect(one[429]).toEqual({ $ref: "#/components/responses/RateLimited" });
  expect(Object.keys(components.responses).sort()).toEqual([
    "HeadersTooLarge",
    "InternalError",
    "RateLimited",
  ]);
});

test("a route that adds headers to its answers has answers of its own, and shares its problems", () => {
  const shared: Operation = { ...operation, answers: { 200: { name: "Thing", description: "The thing." } } };
  const { responses, components } = list([shared, { ...shared, someHeaders: ["Deprecation"] }]);
  expect(responses[0]?.[200]).toEqual({ $ref: "#/components/responses/Thing" });
  expect(responses[1]?.[200]).toHaveProperty("headers.Deprecation");
  expect(responses[1]?.[429]).toEqual(responses[0]?.[429]);
  expect(components.responses.Thing).not.toHaveProperty("headers.Deprecation");
});

test("two groups of problems that would get one name are refused", () => {
  const first = ["invalid_input", "invalid_json", "invalid_payment_header", "unknown_capability"] as const;
  const second = ["invalid_input", "invalid_json", "invalid_payment_header", "claim_already_false"] as const;
  expect(() =>
    list([
      { ...operation, problems: first },
      { ...operation, problems: second },
    ]),
  ).toThrow("two responses with different problems are called InvalidInput-and-3-more");
});
