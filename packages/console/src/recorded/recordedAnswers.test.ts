import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("links on the start page to recorded answers that are there", async () => {
  const source = await readFile(`${import.meta.dirname}/FirstRecorded.tsx`, "utf8");
  const names = [...source.matchAll(/\["([^"]+)", "/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  const folder = `${import.meta.dirname}/../../../client/src/testing/saved`;
  for (const name of names) expect([name, existsSync(`${folder}/${name}.json`)]).toEqual([name, true]);
});
