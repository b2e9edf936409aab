import { expect, test } from "vitest";
import { extendSchemas } from "./extendSchemas.js";

const text = { type: "string" };
const record = {
  type: "object",
  properties: { a: text, b: text, c: text, d: text, e: text },
  required: ["a", "b"],
};
const uriOf = (name: string) => `#/${name}`;

test("a shape with all the fields of another refers to it and adds its own", () => {
  const detail = {
    type: "object",
    properties: { ...record.properties, f: text },
    required: ["a", "b", "f"],
  };
  expect(extendSchemas({ record, detail }, uriOf)).toEqual({
    record,
    detail: { type: "object", allOf: [{ $ref: "#/record" }], properties: { f: text }, required: ["f"] },
  });
});

test.each([
  ["one field is of another shape", { ...record.properties, a: { type: "integer" }, f: text }, ["a", "b"]],
  ["one field is not required", { ...record.properties, f: text }, ["a"]],
  ["one field is missing", { a: text, b: text, c: text, d: text, f: text, g: text }, ["a", "b"]],
])("it stands for itself when %s", (_name, properties, required) => {
  const other = { type: "object", properties, required };
  expect(extendSchemas({ record, other }, uriOf)).toEqual({ record, other });
});
