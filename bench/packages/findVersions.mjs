import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** The one version that every package has, and asks of the others, once a release was prepared in a copy; throws where there are several. */
export async function findVersions(copy, changeset) {
  await run("git", ["clone", "--quiet", "--local", root, copy]);
  await run(changeset, ["version"], { cwd: copy });
  await run(process.execPath, [join(import.meta.dirname, "spreadVersion.mjs"), copy]);
  const { stdout } = await run("git", ["ls-files", "*package.json"], { cwd: copy });
  const found = stdout
    .trim()
    .split("\n")
    .flatMap((path) => {
      const { name, version, dependencies, devDependencies, peerDependencies } = JSON.parse(
        readFileSync(join(copy, path), "utf8"),
      );
      const asked = Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies });
      return [
        ...(version === undefined ? [] : [[name, version]]),
        ...asked
          .filter(([other]) => other.startsWith("@assay/"))
          .map(([other, range]) => [`${other} of ${name}`, range.replace(/^\^/, "")]),
      ];
    });
  const source = readFileSync(join(copy, "packages/protocol/src/primitives.ts"), "utf8");
  found.push(["RELEASE_VERSION", /RELEASE_VERSION = "(.+)"/.exec(source)?.[1]]);
  const [[, version]] = found;
  const other = found.filter((one) => one[1] !== version);
  if (other.length > 0) throw new Error(`not ${version}: ${other.map((one) => one.join(" ")).join(", ")}`);
  return `${version}, ${found.length} places`;
}
