import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { build } from "vite";
import { asSources } from "../../bundling.mjs";

// Writes dist/npm, the package as it is published: with what it needs of the workspace inside, so that it installs alone. Run after
// `npm run build`. Bundled by module, not into one file: a page that imports one function loads no other.
const here = import.meta.dirname;
const target = join(here, "dist/npm");
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const protocol = JSON.parse(readFileSync(join(here, "../protocol/package.json"), "utf8"));
const zod = dirname(createRequire(import.meta.resolve("@assay/protocol")).resolve("zod/package.json"));
rmSync(target, { recursive: true, force: true });

/** Every file that the entry exports from is an entry too, so that the entry only names them. */
const index = readFileSync(join(here, "src/index.ts"), "utf8");
const modules = [...index.matchAll(/^(?:export (?!type)|\} )[^;]*?from "\.\/(.+)\.js";/gm)].map(
  ([, name]) => name,
);
const shared = join(here, "../capabilities/src");
const inputs = {
  ...Object.fromEntries(["index", ...new Set(modules)].map((name) => [name, join(here, `src/${name}.ts`)])),
  "proxy/openProxy": join(here, "src/proxy/openProxy.ts"),
  highestPrice: join(shared, "highestPrice.ts"),
  summarizeAnswer: join(shared, "shared/summary/summarizeAnswer.ts"),
};
const isForeign = (id) => /^(node:|(viem|ws|@x402\/[^/]+)(\/|$))/.test(id);
await build({
  configFile: false,
  logLevel: "warn",
  root: here,
  resolve: { alias: [{ find: /^zod$/, replacement: zod }, ...asSources("\\w+")] },
  ssr: { noExternal: true, target: "webworker" },
  build: {
    outDir: join(target, "dist"),
    target: "es2023",
    minify: false,
    // Without what Vite adds for pages.
    ssr: true,
    rolldownOptions: {
      input: inputs,
      external: isForeign,
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", chunkFileNames: "parts/[name]-[hash].js", format: "es" },
    },
  },
});
cpSync(join(here, "dist/bundle"), join(target, "command"), { recursive: true });
writeTypes();
for (const name of ["README.md", "LICENSE", "docs"])
  cpSync(join(here, name), join(target, name), { recursive: true });
mkdirSync(join(target, "bin"));
writeFileSync(
  join(target, "bin/assay.js"),
  readFileSync(join(here, "bin/assay.js"), "utf8").replace("../dist/bundle/", "../command/"),
  { mode: 0o755 },
);
writeFileSync(join(target, "package.json"), `${JSON.stringify(describePackage(), null, 2)}\n`);

/** The declarations that the entries name, of all packages side by side, which name each other by path. */
function writeTypes() {
  const declarations = new Set(["client/index.d.ts", "client/proxy/openProxy.d.ts"]);
  for (const file of declarations) {
    const folder = posix.dirname(file);
    const [, name, path] = /^([^/]+)\/(.+)$/.exec(file);
    const text = readFileSync(join(here, "..", name, "dist", path), "utf8").replaceAll(
      /(from |import\()"(?:@assay\/(\w+)(?:\/([^"]+))?|(\.[^"]+)\.js)"/g,
      (_, before, other, entry = "index", near) => {
        const named = near === undefined ? `${other}/${entry}` : posix.join(folder, near);
        declarations.add(`${named}.d.ts`);
        const way = posix.relative(folder, named);
        return `${before}"${way.startsWith(".") ? way : `./${way}`}.js"`;
      },
    );
    const to = join(target, "types", file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text.replace(/\n?\/\/# sourceMappingURL=.*$/m, ""));
  }
}

/** Without what belongs to the workspace. What is inside the files is no dependency. */
function describePackage() {
  const { name, version, description, license, keywords, type, sideEffects, engines, bin, peerDependencies } =
    manifest;
  const { directory: _, ...publishConfig } = manifest.publishConfig;
  const isInside = (dependency) => dependency.startsWith("@assay/") || dependency === "commander";
  return {
    ...{ name, version, description, license, keywords, type, sideEffects, engines, publishConfig },
    exports: {
      ".": { types: "./types/client/index.d.ts", default: "./dist/index.js" },
      // For esbuild, which puts all that an entry names into the first file of a page.
      "./createClient": { types: "./types/client/createClient.d.ts", default: "./dist/createClient.js" },
      "./proxy": {
        types: "./types/client/proxy/openProxy.d.ts",
        default: "./dist/proxy/openProxy.js",
      },
      "./package.json": "./package.json",
    },
    bin,
    dependencies: {
      ...Object.fromEntries(
        Object.entries(manifest.dependencies).filter(([dependency]) => !isInside(dependency)),
      ),
      // Its code is inside; the declarations name its types.
      zod: protocol.dependencies.zod,
    },
    // The MCP SDK is inside the command. As a peer it would clash with another version of it in the same project.
    peerDependencies: { viem: peerDependencies.viem },
  };
}
