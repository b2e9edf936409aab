import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = import.meta.dirname;
const pnpm = join(here, "node_modules/.bin/pnpm");
// Both yarns name their commands alike, so that only one of them is in .bin.
const yarn1 = join(here, "node_modules/yarn/bin/yarn.js");
const yarn4 = join(here, "node_modules/@yarnpkg/cli-dist/bin/yarn.js");
const VIEM = "viem@2.57.1";

/** yarn 4 names what a file holds. */
const named = (what) =>
  what.endsWith(".tgz") ? `@assay/${/^assay-([a-z-]+)-[0-9]/.exec(basename(what))[1]}@file:${what}` : what;

/** How each manager adds packages to a folder. */
export const managers = {
  "npm 11": (cwd, what) =>
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...what, VIEM], { cwd }),
  "pnpm 12": (cwd, what) => run(pnpm, ["add", "--ignore-scripts", ...what, VIEM], { cwd }),
  // It alone insists on what packages of others state of Node: openai, below the framework of that name, states 22 and runs with 20.
  "yarn 1": (cwd, what) =>
    run(
      process.execPath,
      [yarn1, "add", "--non-interactive", "--ignore-scripts", "--ignore-engines", ...what, VIEM],
      { cwd },
    ),
  "yarn 4": (cwd, what) => {
    writeFileSync(join(cwd, "yarn.lock"), "");
    return run(process.execPath, [yarn4, "add", ...what.map(named), VIEM], { cwd });
  },
};

/** Has every manager take our packages from `registry`, where one is given, and all others from where it always does. */
export function settle(folder, registry) {
  writeFileSync(join(folder, ".npmrc"), registry ? `@assay:registry=${registry}\n` : "");
  const scope = `npmScopes:\n  assay:\n    npmRegistryServer: "${registry}"\nunsafeHttpWhitelist: ["127.0.0.1"]\n`;
  writeFileSync(
    join(folder, ".yarnrc.yml"),
    `nodeLinker: node-modules\nenableTelemetry: false\nenableScripts: false\n# By default it takes nothing that was published today.\nnpmPreapprovedPackages: ["@assay/*"]\n${registry ? scope : ""}`,
  );
}
