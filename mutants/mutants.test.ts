import { afterEach, describe, expect, test } from "vitest";
import { drawSome } from "./drawSome.mjs";
import { applyMutant, listMutants } from "./listMutants.mjs";
import { mutantPlugin } from "./mutantPlugin.mjs";
import { switchMutants } from "./switchMutants.mjs";

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

test("names that every object has are no methods with a counterpart", () => {
  expect(changesOf("a.toString();")).toEqual([";"]);
});

describe("a source with all of its mutants in it", () => {
  const held = globalThis as { assayMutant?: ((id: number) => boolean) | undefined };
  afterEach(() => {
    held.assayMutant = undefined;
  });
  const run = (text: string, given: readonly number[] | undefined) => {
    try {
      return JSON.stringify(new Function(`${text}; return run;`)()(given));
    } catch {
      return "it throws";
    }
  };

  test.each([
    "function run(list) { let n = 0; for (let i = 0; i < 3; i++) { n += i * 2; } if (n > 5) n -= 1; else n = 0; return n; }",
    "function run(list) { const f = (a, b = 3) => (a > b && !(a === 9) ? a * 2 : Math.min(a, -b)); return [f(1), f(4), f(9), f(2, 1)]; }",
    "function run(list) { return (list?.filter((n) => n % 2 === 0).map((n) => n - 1).some((n) => n > 2) ?? false) || 'none'; }",
    "function run(list) { const out = []; if (list) out.push(1); else out.push(2); out.push(list ? list[0] << 2 : 7 & 3); return out; }",
    "function run(list) { switch (list?.length) { case 4: return { a: 1, [2 + 1]: list[1 - 1] }; default: return [...(list ?? [8])]; } }",
  ])("%s", (text) => {
    const mutants = listMutants("a.js", text).map((mutant, id) => ({ ...mutant, id }));
    const switched = switchMutants("a.js", text, mutants);
    for (const given of [[1, 2, 3, 4], [5], undefined]) {
      expect(run(switched, given)).toBe(run(text, given));
      for (const mutant of mutants) {
        // A loop that no longer ends tells nothing.
        if (mutant.from === "++") continue;
        held.assayMutant = (id) => id === mutant.id;
        expect(run(switched, given), `${mutant.from} → ${mutant.to}`).toBe(
          run(applyMutant(text, mutant), given),
        );
        held.assayMutant = undefined;
      }
    }
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
