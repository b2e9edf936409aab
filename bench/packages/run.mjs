// The packages as a stranger gets them: packed, checked, published to a registry on this machine, and installed by each package
// manager; compiled with several versions of viem and TypeScript; bundled by esbuild. Prints tables; exits with 1 when a row fails.
// Needs the network for the packages of others. Run by `npm run campaign:packages`; with -- and names of parts, those alone:
// checks, compiled, release, and each manager by its name without the space (npm11, pnpm12, yarn1, yarn4), adapters from files (files), and
// those of large frameworks (large), which take the longest.
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { findVersions } from "./findVersions.mjs";
import { managers, settle } from "./managers.mjs";
import { measureBundle } from "./measureBundle.mjs";
import { adapters, listCompanions, packPackages } from "./packPackages.mjs";
import { prove } from "./proofs.mjs";
import { retryDownloads } from "./retryDownloads.mjs";

const run = promisify(execFile);
const here = import.meta.dirname;
const root = resolve(here, "../..");
const work = mkdtempSync(join(tmpdir(), "assay-packages-"));
const bin = (name) => join(here, "node_modules/.bin", name);
/** Frameworks of hundreds of packages and a gigabyte: npm takes them from the registry, and that is all. */
const LARGE = ["agentkit", "eliza"];
const MAX_ASKING_BYTES = 60_000;
const PORT = 48_731;
const registry = `http://127.0.0.1:${PORT}/`;
const asked = process.argv.slice(2);
const parts = [
  "checks",
  "compiled",
  ...Object.keys(managers).map((name) => name.replace(" ", "")),
  "files",
  "large",
  "release",
];
const unknown = asked.find((name) => !parts.includes(name));
if (unknown) throw new Error(`There is no part ${unknown}: the parts are ${parts.join(", ")}.`);
const isAsked = (part) => asked.length === 0 || asked.includes(part);
let failures = 0;

/** One row: what was tried, and "ok" or why not. */
async function attempt(act) {
  try {
    const outcome = (await act()) ?? "ok";
    process.stderr.write(".");
    return outcome;
  } catch (error) {
    failures += 1;
    const said = `${error.stdout ?? ""}${error.stderr ?? ""}`.trim() || error.message;
    return `FAILED: ${said.split("\n").slice(0, 6).join(" / ").slice(0, 400)}`;
  }
}
const print = (title, head, rows) => {
  console.log(`\n## ${title}\n\n| ${head.join(" | ")} |\n|${head.map(() => "---").join("|")}|`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
};
const makeFolder = (name) => {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  // yarn gives each package the newest viem that it allows, also where that one needs a package that cannot be had yet.
  const manifest = { name: "stranger", private: true, type: "module", resolutions: { viem: "2.57.1" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
};

const tarballs = await packPackages(work);

if (isAsked("checks")) await check();
if (isAsked("compiled")) await compile();
if (parts.slice(2, -1).some(isAsked)) await installAll();
if (isAsked("release")) await release();
rmSync(work, { recursive: true, force: true });
console.log(failures === 0 ? "\nAll passed." : `\n${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;

/** publint and attw on every file that is published. */
async function check() {
  const checks = [];
  for (const [name, tarball] of Object.entries(tarballs)) {
    checks.push([
      name,
      "publint",
      await attempt(() => run(bin("publint"), ["--strict", tarball]).then(() => "ok")),
    ]);
    // Without CommonJS, on purpose: Node 20.19 and newer load ES modules by require too.
    const attw = () => run(bin("attw"), [tarball, "--profile", "esm-only"]).then(() => "ok");
    checks.push([name, "attw", await attempt(attw)]);
  }
  print("Checks", ["package", "tool", "outcome"], checks);
}

/** A stranger's program with several versions of viem and TypeScript; with the newest, bundle and start-up too. */
async function compile() {
  const compiled = [];
  for (const viem of ["2.48.11", "2.53.1", "2.57.1"]) {
    const folder = makeFolder(`viem-${viem}`);
    const wanted = [
      tarballs.client,
      `viem@${viem}`,
      "typescript59@npm:typescript@5.9.3",
      "typescript7@npm:typescript@7.0.2",
    ];
    const flags = ["install", "--no-audit", "--no-fund", ...wanted, "@types/node@20.19.25"];
    const installed = await attempt(() =>
      retryDownloads(() => run("npm", flags, { cwd: folder })).then(() => "ok"),
    );
    cpSync(join(here, "consumer.txt"), join(folder, "consumer.ts"));
    for (const typescript of ["typescript59", "typescript7"])
      for (const moduleResolution of ["nodenext", "bundler"]) {
        const flags = [
          "--noEmit",
          "--strict",
          "--exactOptionalPropertyTypes",
          "--skipLibCheck",
          "--target",
          "es2023",
        ];
        const module = ["--module", moduleResolution === "bundler" ? "esnext" : "nodenext"];
        const tsc = join(folder, "node_modules", typescript, "bin/tsc");
        const compile = async () => {
          const { stdout } = await run(
            "find",
            ["node_modules", "-path", "*viem/package.json", "-not", "-path", "*/viem/*/*"],
            { cwd: folder },
          );
          await run(
            process.execPath,
            [tsc, ...flags, ...module, "--moduleResolution", moduleResolution, "consumer.ts"],
            { cwd: folder },
          );
          return `ok, ${stdout.trim().split("\n").length} viem`;
        };
        compiled.push([
          viem,
          typescript,
          moduleResolution,
          installed === "ok" ? await attempt(compile) : installed,
        ]);
      }
    if (viem === "2.57.1") {
      const sizes = await measureBundle(folder);
      print("esbuild, first load, gzip", ["import", "bytes"], Object.entries(sizes));
      if (sizes["@assay/client/createClient"] > MAX_ASKING_BYTES) failures += 1;
      const times = [];
      for (let runs = 0; runs < 10; runs++) {
        const startedMs = performance.now();
        const flags = ["call", "chain.snapshot", "--url", "http://127.0.0.1:9"];
        const env = { ...process.env, ASSAY_PRIVATE_KEY: `0x${"11".repeat(32)}` };
        await run(join(folder, "node_modules/.bin/assay"), flags, { cwd: folder, env }).catch(
          () => undefined,
        );
        times.push(Math.round(performance.now() - startedMs));
      }
      print("`assay call` until it finds no service, ms", ["ten runs"], [[times.join(", ")]]);
    }
  }
  print("Compiled", ["viem", "TypeScript", "resolution", "outcome"], compiled);
}

/** An adapter beside the client and its framework. */
function installAdapter(manager, name, isLocal) {
  const ours = isLocal ? [`@assay/${name}`, "@assay/client"] : [tarballs[name], tarballs.client];
  return install(manager, name, [...ours, ...listCompanions(name)], isLocal);
}

/** Installs packages in a folder of their own, and has a stranger's program use the first one. */
async function install(manager, name, what, isLocal) {
  const source = isLocal ? "registry" : "file";
  const folder = makeFolder(`${manager}-${name}-${source}`.replaceAll(" ", ""));
  settle(folder, isLocal ? registry : undefined);
  const outcome = await attempt(async () => {
    const tries = await retryDownloads(() => managers[manager](folder, what));
    return `${await prove(name, folder)}${tries > 1 ? ` (download ${tries})` : ""}`;
  });
  rmSync(folder, { recursive: true, force: true });
  process.stderr.write(` ${manager}, ${name}, ${source}: ${outcome}\n`);
  return [manager, name, source, outcome];
}

/** Every package by every manager, from files and from a registry on this machine. */
async function installAll() {
  const server = await startRegistry();
  try {
    for (const tarball of Object.values(tarballs)) {
      const flags = ["--registry", registry, "--provenance=false", "--ignore-scripts"];
      const token = [`--//127.0.0.1:${PORT}/:_authToken=anybody`];
      await run("npm", ["publish", tarball, ...flags, ...token], { cwd: work });
    }
    const installs = [];
    for (const manager of Object.keys(managers).filter((name) => isAsked(name.replace(" ", "")))) {
      for (const name of ["protocol", "client"])
        for (const isLocal of [false, true])
          installs.push(await install(manager, name, [isLocal ? `@assay/${name}` : tarballs[name]], isLocal));
      for (const name of adapters.filter((one) => !LARGE.includes(one)))
        installs.push(await installAdapter(manager, name, true));
    }
    for (const name of adapters) {
      const isLarge = LARGE.includes(name);
      if (isAsked(isLarge ? "large" : "files")) installs.push(await installAdapter("npm 11", name, isLarge));
    }
    print("Installs", ["manager", "package", "from", "outcome"], installs);
  } finally {
    server.kill();
  }
}

/** What a release would write. */
async function release() {
  const releases = [];
  for (const [title, act] of [
    ["`changeset status`", () => run(bin("changeset"), ["status"], { cwd: root }).then(() => "ok")],
    [
      "`npm run raise`: versions of all packages then",
      () => findVersions(join(work, "release"), bin("changeset")),
    ],
  ])
    releases.push([title, await attempt(act)]);
  print("Release", ["what", "outcome"], releases);
}

/** A registry of our packages alone, which anybody on this machine may publish to. */
async function startRegistry() {
  const config = join(work, "registry.yaml");
  writeFileSync(
    config,
    `storage: ${join(work, "storage")}\nauth:\n  htpasswd:\n    file: ${join(work, "htpasswd")}\npackages:\n  "@assay/*":\n    access: $all\n    publish: $all\nlog: { type: stdout, level: fatal }\n`,
  );
  const child = spawn(bin("verdaccio"), ["--config", config, "--listen", `127.0.0.1:${PORT}`], {
    stdio: "inherit",
  });
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`${registry}-/ping`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return child;
    await new Promise((done) => setTimeout(done, 300));
  }
  throw new Error("The registry did not start.");
}
