import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const dist = join(import.meta.dirname, "../../dist");

/** What is loaded before a command is chosen: every package of others that built files of ours import from here on. */
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
  // The same look finds what the library loads.
  expect([...listLoaded(join(dist, "index.js"))]).toContain("viem");
});
