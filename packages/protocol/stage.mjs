import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

// Writes dist/npm, the package as it is published: without what only the tests of this workspace import. Run after `npm run build`.
const here = import.meta.dirname;
const target = join(here, "dist/npm");
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const isShipped = (path) => !/(^|\/)(npm|testing)(\/|$)|\.test\.|\.map$|tsbuildinfo$/.test(path);
// Not dist as a whole: a folder cannot be copied into itself.
mkdirSync(join(target, "dist"));
for (const name of readdirSync(join(here, "dist")).filter(isShipped))
  cpSync(join(here, "dist", name), join(target, "dist", name), {
    recursive: true,
    filter: (path) => isShipped(relative(join(here, "dist"), path)),
  });
for (const name of ["README.md", "LICENSE"]) cpSync(join(here, name), join(target, name));
const {
  scripts: _,
  devDependencies: _dev,
  files: _files,
  ...manifest
} = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const { "./testing/*": _testing, ...exports } = manifest.exports;
const { directory: _directory, ...publishConfig } = manifest.publishConfig;
writeFileSync(
  join(target, "package.json"),
  `${JSON.stringify({ ...manifest, exports, publishConfig }, null, 2)}\n`,
);
