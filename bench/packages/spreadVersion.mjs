// Gives every package the version of the client. `npm run raise` runs it after `changeset version`, which knows neither the root, nor
// adapters with a lock of their own, nor what states the version elsewhere.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2] ?? join(import.meta.dirname, "../..");
const read = (path) => readFileSync(join(root, path), "utf8");
const { version } = JSON.parse(read("packages/client/package.json"));
const tracked = (pattern) =>
  execFileSync("git", ["ls-files", pattern], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
const change = (path, by) => {
  const before = read(path);
  const after = by(before);
  if (after !== before) writeFileSync(join(root, path), after);
};

/** Of a range such as ^0.1.0, what stands before the number stays. */
const raised = (range) => range.replace(/[0-9]+\.[0-9]+\.[0-9]+.*$/, version);

for (const path of tracked("*package.json")) {
  const { name, version: before } = JSON.parse(read(path));
  if (before === undefined || !/^(@assay\/|assay($|-))/.test(name)) continue;
  change(path, (text) =>
    text
      .replace(/^ {2}"version": "[^"]+"/m, `  "version": "${version}"`)
      .replace(/("@assay\/[a-z-]+": ")([^"]+)"/g, (_, start, range) => `${start}${raised(range)}"`),
  );
}

for (const path of tracked("*package-lock.json"))
  change(path, (text) => {
    const lock = JSON.parse(text);
    const own = Object.entries(lock.packages).filter(([place]) => !place.includes("node_modules/"));
    for (const [, entry] of own) {
      if (entry.version !== undefined) entry.version = version;
      for (const dependencies of [entry.dependencies, entry.devDependencies, entry.peerDependencies])
        for (const name of Object.keys(dependencies ?? {}))
          if (name.startsWith("@assay/")) dependencies[name] = raised(dependencies[name]);
    }
    if (lock.version !== undefined) lock.version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });

change("packages/protocol/src/primitives.ts", (text) =>
  text.replace(/(RELEASE_VERSION = ")[^"]+"/, `$1${version}"`),
);
for (const path of tracked("deploy/kubernetes/*.yaml"))
  change(path, (text) => text.replace(/(image: assay:)[0-9.]+$/gm, `$1${version}`));
console.log(version);
