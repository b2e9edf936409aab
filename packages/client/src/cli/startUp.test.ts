import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const dist = join(import.meta.dirname, "../../dist");

/** The foreign packages that are loaded before a command is chosen, found by following the imports of built files. */
function listLoaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const { resolve } = createRequire(pathToFileURL(file));
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export|\}) ?(?:.* from )?"([^"]+)";/gm);
  return new Set(
    [...imports].flatMap(([, name = ""]) => {
      if (name.startsWith("node:")) return [];
      const isOurs = /^[.]|^@assay\//.test(name);
      return isOurs ? [...listLoaded(resolve(name), seen)] : [name];
    }),
  );
}

it("--version and --help load what reads a command line, and nothing that asks, pays or verifies", () => {
  expect([...listLoaded(join(dist, "cli.js"))].sort()).toEqual(["commander", "zod"]);
  // The same function finds what the library loads.
  expect([...listLoaded(join(dist, "index.js"))]).toContain("viem");
});
