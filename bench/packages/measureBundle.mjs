import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Bytes, compressed, that a page loads first when it imports `createClient` from each entry, as esbuild splits it. */
export async function measureBundle(folder) {
  const sizes = {};
  for (const entry of ["@assay/client/createClient", "@assay/client"]) {
    const { outputFiles, metafile } = await build({
      stdin: { contents: `export { createClient } from "${entry}";`, resolveDir: folder },
      absWorkingDir: folder,
      ...{ bundle: true, splitting: true, minify: true, write: false, metafile: true },
      ...{ format: "esm", platform: "browser", target: "es2022", outdir: "out", logLevel: "error" },
    });
    const { outputs } = metafile;
    const first = new Set(Object.keys(outputs).filter((name) => outputs[name].entryPoint === "<stdin>"));
    for (const name of first)
      for (const { kind, path } of outputs[name].imports) if (kind === "import-statement") first.add(path);
    const loaded = outputFiles.filter(({ path }) => [...first].some((name) => path.endsWith(`/${name}`)));
    sizes[entry] = gzipSync(loaded.map(({ text }) => text).join("\n")).length;
  }
  return sizes;
}
