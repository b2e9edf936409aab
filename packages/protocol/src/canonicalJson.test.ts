import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonicalJson.js";

/** What a function gives, or that it throws. */
function outcomeOf(write: () => string | undefined): string {
  try {
    return write() ?? "throws";
  } catch {
    return "throws";
  }
}

test("any JSON value has the text that another implementation of RFC 8785 gives it", () => {
  const values = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" });
  fc.assert(
    fc.property(values, (value) => {
      expect(outcomeOf(() => canonicalJson(value))).toBe(outcomeOf(() => canonicalize(value)));
    }),
  );
});

describe("RFC 8785", () => {
  test("names are sorted by UTF-16 code units, and numbers are written as ECMAScript does", () => {
    const names = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 };
    expect(canonicalJson(names)).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
      "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]",
    );
  });

  test("every character is escaped where it must be, alone, within plain text and in a name", () => {
    for (let unit = 0; unit < 0x180; unit += 1) {
      const character = String.fromCharCode(unit);
      for (const text of [character, `a${character}`, `${character}a`, `a${character}b`]) {
        expect(canonicalJson(text)).toBe(JSON.stringify(text));
        expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
      }
    }
  });

  test("what is undefined is left out of an object and null in a list", () => {
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  const loop: unknown[] = [];
  loop.push(loop);
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["NaN", [Number.NaN]],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a bigint", 1n],
    ["half a surrogate pair", "\ud83d"],
    ["half a surrogate pair as a name", { "\ude00": 1 }],
    ["a list within itself", loop],
  ])("%s has no canonical form", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test("the same object may stand at two places", () => {
    const twice = { a: 1 };
    expect(canonicalJson([twice, twice])).toBe('[{"a":1},{"a":1}]');
  });
});
