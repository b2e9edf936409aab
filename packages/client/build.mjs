import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { asSources, buildIfOlder, nodePrograms, sourceFolders } from "../../bundling.mjs";

// The command `assay` as a few files. Each run of it would otherwise load a thousand, which takes longer than what it does.
const here = import.meta.dirname;
const sources = [
  ...sourceFolders(["protocol", "capabilities", "client"]),
  join(here, "../capabilities/former"),
  join(here, "../../bundling.mjs"),
  join(here, "build.mjs"),
  join(here, "package.json"),
];

/** One copy for all packages; this workspace may have one for each. */
const zod = dirname(createRequire(import.meta.resolve("@assay/protocol")).resolve("zod/package.json"));

await buildIfOlder(
  join(here, "dist/bundle/cli.js"),
  sources,
  nodePrograms({
    root: here,
    alias: [{ find: /^zod$/, replacement: zod }, ...asSources("\\w+")],
    input: { cli: join(here, "src/cli.ts") },
  }),
);
