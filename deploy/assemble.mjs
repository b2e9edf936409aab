// Copies what a production process needs, and nothing else, into one folder: the built service, its migrations, the console,
// our contracts' bytecode, and the few packages that a bundle cannot hold. `node deploy/assemble.mjs <folder>`
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const [target] = process.argv.slice(2);
if (!target || target.startsWith("-")) {
  process.stderr.write("Usage: node deploy/assemble.mjs <folder>   (after npm run build)\n");
  process.exit(1);
}
const out = resolve(target);
if (existsSync(out)) {
  process.stderr.write(`${out} exists: give a folder that does not.\n`);
  process.exit(1);
}
if (!existsSync(join(root, "packages/service/dist/bundle/main.js"))) {
  process.stderr.write("The service is not built: run `npm run build` first.\n");
  process.exit(1);
}

// The embedded chain and database are for one machine without configuration. Without these packages a process that lacks
// DATABASE_URL or RPC_URL ends at its start and cannot run on an embedded part by mistake.
const packagesBesideBundle = [
  "@expo-google-fonts/dm-sans",
  "@resvg/resvg-js",
  "evmole",
  "pino",
  "secp256k1",
  "tiny-secp256k1",
  "unpdf",
];
const files = [
  "LICENSE",
  "packages/service/package.json",
  "packages/service/bin",
  "packages/service/migrations",
  "packages/service/openapi",
  "packages/service/dist/bundle",
  "packages/console/dist/site",
  "contracts/package.json",
  "contracts/out",
];

for (const file of files) copy(file);
for (const path of listInstalled(packagesBesideBundle)) copy(path);
link("node_modules/@assay/service", "packages/service");
link("node_modules/@assay/contracts", "contracts");

function copy(path) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  cpSync(join(root, path), join(out, path), { recursive: true });
}

function link(path, to) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  symlinkSync(relative(dirname(path), to), join(out, path));
}

/** Folders of these packages and of all that they need, as the lock file installs them. */
function listInstalled(names) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const found = new Set();
  const visit = (name, from) => {
    // As Node resolves: the nearest node_modules upwards.
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
      const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      if (packages[path] && existsSync(join(root, path))) {
        if (found.has(path)) return;
        found.add(path);
        const { dependencies = {}, optionalDependencies = {} } = packages[path];
        for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, path);
        return;
      }
      if (folder === "") return;
    }
  };
  for (const name of names) {
    visit(name, "packages/service");
    visit(name, "");
  }
  return found;
}
