import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_JSON_DEPTH, nestsTooDeep } from "./jsonDepth.js";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** `[` or `{` so many times around `inner`. */
const nest = (inner: unknown, kinds: readonly boolean[]): unknown =>
  kinds.reduce((inside, isList) => (isList ? [inside] : { a: inside }), inner);

test("a text nests as deep as what it parses to", () => {
  const nested = fc
    .tuple(
      fc.jsonValue({ maxDepth: 3 }),
      fc.array(fc.boolean(), { minLength: MAX_JSON_DEPTH - 5, maxLength: MAX_JSON_DEPTH + 3 }),
    )
    .map(([inner, kinds]) => nest(inner, kinds));
  fc.assert(
    fc.property(nested, (value) => {
      expect(nestsTooDeep(JSON.stringify(value))).toBe(depthOf(value) > MAX_JSON_DEPTH);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["[", "]"],
  ["{", "}"],
])("%s counts from the first character to the last that is allowed", (open, close) => {
  expect(nestsTooDeep(open.repeat(MAX_JSON_DEPTH))).toBe(false);
  expect(nestsTooDeep(open.repeat(MAX_JSON_DEPTH + 1))).toBe(true);
  // One after another is not inside one another.
  expect(nestsTooDeep(`${open}${close}`.repeat(MAX_JSON_DEPTH + 1))).toBe(false);
});

test("brackets in strings do not count, behind escapes neither", () => {
  const many = "[".repeat(MAX_JSON_DEPTH + 1);
  for (const text of [many, `\\"${many}`, `\\\\\\"${many}`]) expect(nestsTooDeep(`"${text}"`)).toBe(false);
  // The string has ended.
  for (const text of ['""', '"\\\\"', '"a\\"b"']) expect(nestsTooDeep(`[${text},${many}`)).toBe(true);
});
