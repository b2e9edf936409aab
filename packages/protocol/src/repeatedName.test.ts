import { expect, test } from "vitest";
import { findRepeatedName } from "./repeatedName.js";

test.each([
  ['{"a":1,"a":2}', "a"],
  ['{"a":{"b":1,"c":[{"d":1,"d":1}]}}', "d"],
  ['{"to":"x","\\u0074o":"y"}', "to"],
  ['{"a":"}","b":{},"a":1}', "a"],
  ['[{"__proto__":1,"__proto__":2}]', "__proto__"],
])("a name that comes twice is found: %s", (text, name) => {
  JSON.parse(text);
  expect(findRepeatedName(text)).toBe(name);
});

test.each([
  '{"a":1,"b":2}',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":["b","b"]}',
  '{"a":"\\",\\"a"}',
  '"a"',
  "1",
])("names of different objects are not: %s", (text) => {
  JSON.parse(text);
  expect(findRepeatedName(text)).toBeNull();
});
