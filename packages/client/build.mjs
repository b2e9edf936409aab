import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "vite";

// The command `assay` as a few files. Each run of it would otherwise load a thousand, which takes longer than what it does.
const here = import.meta.dirname;
const packages = join(here, "..");
const made = join(here, "dist/bundle/cli.js");
const sources = [
  ...["protocol", "capabilities", "client"].map((name) => join(packages, name, "src")),
  join(packages, "capabilities/former"),
  join(here, "build.mjs"),
  join(here, "package.json"),
];

/** One copy for all packages; this workspace may have one for each. */
const zod = dirname(createRequire(import.meta.resolve("@assay/protocol")).resolve("zod/package.json"));

function newestMs(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

// Bundled again only when a source is newer: starting the service should not wait for it.
if (!existsSync(made) || Math.max(...sources.map(newestMs)) > statSync(made).mtimeMs)
  await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    resolve: {
      alias: [
        { find: /^zod$/, replacement: zod },
        { find: /^@assay\/(\w+)$/, replacement: join(packages, "$1/src/index.ts") },
        { find: /^@assay\/(\w+)\/(.+)$/, replacement: join(packages, "$1/src/$2.ts") },
      ],
    },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: "dist/bundle",
      emptyOutDir: true,
      target: "node20",
      minify: false,
      rolldownOptions: {
        input: { cli: join(here, "src/cli.ts") },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
