import { createRequire } from "node:module";
import { dirname } from "node:path";
import { build } from "vite";

export interface BundleOptions {
  /** True for one readable file; otherwise minified, with separate files for what is loaded later. */
  readonly isWhole?: boolean;
}

/**
 * One copy for all packages, as npm installs it for a reader. This workspace may have a copy for each package, because
 * x402 needs an older version at the root.
 */
const zod = dirname(createRequire(import.meta.resolve("@assay/protocol")).resolve("zod/package.json"));

/** Bundles this code; returns the files that a page with it loads. */
export async function bundleForPage(code: string, { isWhole = false }: BundleOptions = {}) {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias: { zod } },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "virtual:entry" ? id : undefined),
        load: (id) => (id === "virtual:entry" ? code : undefined),
      },
    ],
    build: {
      write: false,
      minify: !isWhole,
      target: "es2023",
      rolldownOptions: {
        input: "virtual:entry",
        preserveEntrySignatures: "strict",
        // A script and a module alike.
        ...(isWhole && { output: { codeSplitting: false, format: "iife", name: "bundled" } }),
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error("nothing was built");
  return output.output.filter((part) => part.type === "chunk");
}
