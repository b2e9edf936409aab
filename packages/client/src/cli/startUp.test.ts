import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const dist = join(import.meta.dirname, "../../dist/");

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

/** The built command and what is loaded with it, as one text. */
function readCommand(file = "cli.js", seen = new Set<string>()): string {
  if (seen.has(file)) return "";
  seen.add(file);
  const text = readFileSync(join(dist, "bundle", file), "utf8");
  const imports = [...text.matchAll(/^import [^;]*?"\.\/([^"]+)";/gm)].map(([, name = ""]) => name);
  return [text, ...imports.map((name) => readCommand(name, seen))].join("\n");
}

it("what a call loads before its first request is in few files", () => {
  const files = readdirSync(join(dist, "bundle"));
  const seen = new Set<string>();
  for (const file of files.filter((name) => /^(cli|createClient-|findWallet-|findOtherQuestion-)/.test(name)))
    readCommand(file, seen);
  expect(seen.size).toBeGreaterThan(3);
  expect(seen.size).toBeLessThan(12);
});

it("--version and --help load what reads a command line, and nothing that asks, pays or verifies", () => {
  expect([...listLoaded(join(dist, "cli.js"))].sort()).toEqual(["commander", "zod"]);
  // The same function finds what the library loads.
  expect([...listLoaded(join(dist, "index.js"))]).toContain("viem");
  // Nor are they in the files that the command is bundled into.
  const parts = /secp256k1|eth_getTransactionReceipt|PAYMENT-SIGNATURE/;
  expect(readCommand()).toMatch(/parseAsync/);
  expect(readCommand()).not.toMatch(parts);
  const all = readdirSync(join(dist, "bundle")).map((file) =>
    readFileSync(join(dist, "bundle", file), "utf8"),
  );
  expect(all.join("\n")).toMatch(parts);
});
