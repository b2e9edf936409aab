import { expect, test } from "vitest";
import { z } from "zod";
import { createComponents } from "./createComponents.js";
import { createParameterLister } from "./createParameterLister.js";
import type { Operation } from "./operation.js";

const operation: Operation = {
  id: "getThing",
  method: "get",
  path: "/thing",
  tag: "service",
  summary: "A thing",
  description: "A thing.",
  query: { name: z.string().describe("its name") },
  answers: {},
  problems: [],
};

test("a parameter that two operations take stands once, another of its name beside it", () => {
  const short = { ...operation, query: { name: z.string().max(9) } };
  const operations = [
    operation,
    { ...operation },
    short,
    { ...short },
    { ...operation, examples: { name: "x" } },
  ];
  const components = createComponents();
  const listParameters = createParameterLister(operations, components);
  const schema = { type: "string" };
  expect(operations.map((one) => listParameters(one)[0])).toEqual([
    { $ref: "#/components/parameters/name" },
    { $ref: "#/components/parameters/name" },
    { $ref: "#/components/parameters/name-2" },
    { $ref: "#/components/parameters/name-2" },
    { name: "name", in: "query", required: true, description: "its name", schema, example: "x" },
  ]);
  expect(Object.keys(components.all.parameters)).toEqual(["name", "name-2"]);
});
