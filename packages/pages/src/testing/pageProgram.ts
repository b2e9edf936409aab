import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/** The sources that the program is made of; what else it holds is pinned by the lock file. */
const folders = ["packages/pages/src", "packages/protocol/src"];

/** Replaces `../pageProgram.ts` in tests: the program, built from the current sources once for each state of them. */
export const PAGE_PROGRAM = await findOrBuild();

async function findOrBuild(): Promise<URL> {
  const folder = join(root, "node_modules/.cache/assay");
  const file = join(folder, `pageThread-${hashSources()}.mjs`);
  if (!existsSync(file)) {
    const code = await bundle();
    mkdirSync(folder, { recursive: true });
    // Another worker may build the same file: a renamed one is never seen half written.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
  }
  return pathToFileURL(file);
}

function hashSources(): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort())
      if (/(?<!\.test)\.ts$/.test(name)) hash.update(name).update(readFileSync(join(root, folder, name)));
  return hash.digest("hex").slice(0, 16);
}

/** One file with everything in it: a thread that loads hundreds of files takes four times as long to start. */
async function bundle(): Promise<string> {
  const { build } = await import("vite");
  const built = await build({
    configFile: false,
    root,
    logLevel: "warn",
    resolve: {
      alias: [
        { find: /^@assay\/protocol$/, replacement: join(root, "packages/protocol/src/index.ts") },
        // The published single file: the other form reads JSON by paths of its own.
        { find: /^css-tree$/, replacement: join(root, "node_modules/css-tree/dist/csstree.esm.js") },
      ],
    },
    // A PDF's library is loaded when the first PDF is read.
    ssr: { noExternal: true, external: ["unpdf"] },
    build: {
      ssr: join(root, "packages/pages/src/pageThread.ts"),
      write: false,
      target: "node20",
      minify: false,
    },
  });
  const [chunk, ...others] = [built].flat().flatMap((result) => ("output" in result ? result.output : []));
  if (chunk?.type !== "chunk" || others.length > 0)
    throw new Error("The page thread was not built as one file.");
  return chunk.code;
}
