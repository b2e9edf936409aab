import { build } from "vite";

export interface BundleOptions {
  /** All in one file, and readable; else minified, with a file for what is loaded later. */
  readonly isWhole?: boolean;
}

/** The files that a page gets which imports what this code does. */
export async function bundleForPage(code: string, { isWhole = false }: BundleOptions = {}) {
  const built = await build({
    configFile: false,
    logLevel: "silent",
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
        ...(isWhole && { output: { codeSplitting: false } }),
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error("nothing was built");
  return output.output.filter((part) => part.type === "chunk");
}
