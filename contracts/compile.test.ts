import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileOne, listStale, readRecord } from "./compile.mjs";

test("the committed output was compiled from these sources, with these settings, and not touched since", () => {
  expect(listStale(readRecord())).toEqual([]);
});

test("a changed, new or vanished source, another setting or output is named", () => {
  const { sources, files } = readRecord();
  const { "PlainToken.sol": _, ...older } = sources;
  expect(
    listStale({
      settings: "others",
      sources: { ...older, "BeaconLens.sol": "other text", "Gone.sol": "text" },
      files: { ...files, "Morpho.json": "other code" },
    }),
  ).toEqual(["settings", "BeaconLens.sol", "Gone.sol", "PlainToken.sol", "Morpho.json"]);
});

test("a contract compiles to what is committed of it", { timeout: 60_000 }, () => {
  const [[file, text] = []] = compileOne("BeaconLens.sol");
  expect(file).toBe("BeaconLens.json");
  expect(text).toBe(readFileSync(new URL(`out/${file}`, import.meta.url), "utf8"));
});
