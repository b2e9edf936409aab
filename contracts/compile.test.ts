import { expect, test } from "vitest";
import { compileAll, listDifferences } from "./compile.mjs";

test("the committed output is what the sources compile to", { timeout: 300_000 }, () => {
  expect(listDifferences(compileAll())).toEqual([]);
});
