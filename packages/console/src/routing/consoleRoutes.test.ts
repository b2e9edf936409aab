import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { consoleRoutes } from "./consoleRoutes.js";

it("has a page for every address at which the service serves the console, and no other", async () => {
  // Read as text: no package of ours may import the service.
  const source = await readFile(`${import.meta.dirname}/../../../service/src/http/console.ts`, "utf8");
  const [, list = ""] = /CONSOLE_PATHS = \[([^\]]*)\]/.exec(source) ?? [];
  const served = [...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path);
  expect(consoleRoutes.map(([path]) => path)).toEqual(served);
});
