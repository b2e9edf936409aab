import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
export const adapters = readdirSync(join(root, "packages/adapters"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The file of every package that is published, by its name; made in `target` from what `npm run stage` has written. */
export async function packPackages(target) {
  const folders = { protocol: "packages/protocol/dist/npm", client: "packages/client/dist/npm" };
  for (const name of adapters) {
    folders[name] = `packages/adapters/${name}`;
    // Without types of frameworks, which are not installed here; `npm run campaign:adapters` and `npm publish` check them.
    await run("npx", ["tsc", "-p", folders[name], "--noCheck", "--tsBuildInfoFile", join(target, name)], {
      cwd: root,
    });
  }
  const files = {};
  for (const [name, folder] of Object.entries(folders)) {
    const flags = ["--ignore-scripts", "--silent", "--pack-destination", target];
    await run("npm", ["pack", ...flags], { cwd: join(root, folder) });
    const { version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    files[name] = join(target, `assay-${name}-${version}.tgz`);
  }
  return files;
}

/** What stands beside an adapter in a project: the framework as it was tried, and the newest viem that was. */
export function listCompanions(name) {
  const { peerDependencies, devDependencies = {} } = JSON.parse(
    readFileSync(join(root, "packages/adapters", name, "package.json"), "utf8"),
  );
  // What its README installs at a stated version, because the framework asks for it, such as `zod@4`.
  const readme = readFileSync(join(root, "packages/adapters", name, "README.md"), "utf8");
  const stated = readme.match(/(?<=^npm install .*)\b[\w-]+@\d\S*/gm) ?? [];
  return [
    ...Object.entries(peerDependencies)
      .filter(([peer]) => !["@assay/client", "viem"].includes(peer))
      .map(([peer, range]) => `${peer}@${devDependencies[peer] ?? range}`),
    ...stated.filter((word) => !(word.split("@")[0] in peerDependencies)),
  ];
}
