import { afterEach, describe, expect, test } from "vitest";
import { drawSome } from "./drawSome.mjs";
import { applyMutant, listMutants } from "./listMutants.mjs";
import { mutantPlugin } from "./mutantPlugin.mjs";

const changesOf = (text: string) =>
  listMutants("a.ts", text).map((mutant) => applyMutant(text, mutant).replace(/\s+/g, " ").trim());

describe("mutants of a source", () => {
  test.each([
    ["a < b;", ["a <= b;", "a >= b;"]],
    ["a && !b;", ["a || !b;", "a && b;"]],
    ["a ?? 1n;", ["a;", "a ?? 2n;"]],
    ["if (isOpen(a)) b = true;", ["if (!(isOpen(a))) b = true;", "if (isOpen(a)) b = false;"]],
    [
      "c = a.some(f) ? -1 : 0;",
      ["c = !(a.some(f)) ? -1 : 0;", "c = a.every(f) ? -1 : 0;", "c = a.some(f) ? 1 : 0;"],
    ],
    [
      "const d = x.filter(f).slice(26);",
      ["const d = x.slice(26);", "const d = x.filter(f).slice((26 + 1));"],
    ],
    ["await pay(a);", [";"]],
    ['reasons.push("GAS_HIGH");', [";", 'reasons.push("MUTANT");']],
    ["total += amount * rate;", ["total -= amount * rate;", "total += amount / rate;"]],
  ])("%s", (text, expected) => {
    expect(changesOf(text)).toEqual(expect.arrayContaining(expected));
  });

  test("types, imports and texts for people have none", () => {
    const text =
      'import a from "./A_B.js"; type T = 1 | true; interface I { a: 2 } const b: 3 = f("Hello, you."); export { b as c };';
    expect(changesOf(text)).toEqual([]);
  });

  test("each mutant differs from its source and from every other", () => {
    const text = "export const f = (a: number, b = 3) => (a > b && a !== 0 ? a * 2 : Math.min(a, b));";
    const changed = changesOf(text);
    expect(new Set([...changed, text]).size).toBe(changed.length + 1);
  });
});

test("a seed draws the same mutants again, another seed others", () => {
  const items = Array.from({ length: 200 }, (_, at) => at);
  const drawn = drawSome(items, 20, 1);
  expect(drawn).toHaveLength(20);
  expect(drawSome(items, 20, 1)).toEqual(drawn);
  expect(drawSome(items, 20, 2)).not.toEqual(drawn);
  expect(drawSome(items, Number.POSITIVE_INFINITY, 1)).toEqual(items);
});

describe("the plugin", () => {
  const held = globalThis as { assayMutant?: unknown };
  afterEach(() => {
    held.assayMutant = undefined;
  });

  test("changes the named file while it is loaded, and no other", () => {
    const { transform } = mutantPlugin();
    const [mutant] = listMutants("a.ts", "a < b;");
    expect(transform("a < b;", "/a.ts")).toBeUndefined();
    held.assayMutant = { file: "/a.ts", mutant };
    expect(transform("a < b;", "/a.ts?v=1")).toBe("a <= b;");
    expect(transform("a < b;", "/b.ts")).toBeUndefined();
  });
});
