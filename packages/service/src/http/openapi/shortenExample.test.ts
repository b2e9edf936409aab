import { describe, expect, test } from "vitest";
import { shortenExample } from "./shortenExample.js";

const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = `0x${"cd".repeat(20)}`;

describe("an example keeps what its schema demands", () => {
  const schemas = {
    Entry: {
      type: "object",
      properties: { hash: { type: "string", pattern: "^0x[0-9a-f]{64}$" }, note: { type: "string" } },
      required: ["hash"],
    },
  };
  const entry = { $ref: "#/components/schemas/Entry" };

  test("a text with a pattern stays whole, one without is cut", () => {
    const value = { hash: HASH, note: "word ".repeat(40) };
    expect(shortenExample(value, entry, schemas)).toEqual({
      hash: HASH,
      note: `${"word ".repeat(10).slice(0, 32)}…`,
    });
  });

  test("of a list the first entry is shown, by the schema of entries", () => {
    const list = { type: "array", items: entry };
    expect(shortenExample([{ hash: HASH }, { hash: HASH }], list, schemas)).toEqual([{ hash: HASH }]);
  });

  test("of several schemas the one counts whose required fields the value has", () => {
    const either = { anyOf: [{ type: "null" }, { type: "object", required: ["other"] }, entry] };
    expect(shortenExample({ hash: HASH }, either, schemas)).toEqual({ hash: HASH });
    expect(shortenExample(null, either, schemas)).toBeNull();
  });
});

describe("a part without a schema shows its beginning", () => {
  const open = (value: unknown) => shortenExample(value, { type: "object" }, {});

  test("an address is whole, a hash is cut", () => {
    expect(open({ address: ADDRESS, hash: HASH })).toEqual({
      address: ADDRESS,
      hash: `${HASH.slice(0, 12)}…`,
    });
  });

  test("fields become fewer with depth, and what lies deeper is one sign", () => {
    const deep = { a: { b: { c: {} } }, d: 4, e: 5, f: 6, g: 7 };
    expect(open({ one: deep, two: 2 })).toEqual({ one: { a: { b: "…" } }, two: 2 });
  });
});
