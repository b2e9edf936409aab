// `npm run campaign:adapters`: installs the frameworks, type-checks and tests every adapter, and runs every example as a reader
// does. Give names to run only those: npm run campaign:adapters -- goat wagmi. The co-signer of a Safe is one of them: safe-guard.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const here = import.meta.dirname;
const root = join(here, "../..");
const every = readdirSync(here).filter((name) => existsSync(join(here, name, "package.json")));
every.push("safe-guard");
const placeOf = (name) => (name === "safe-guard" ? join(root, "examples", name) : join(here, name));
const names = process.argv.length > 2 ? process.argv.slice(2) : every;
const unknown = names.find((name) => !every.includes(name));
if (unknown) throw new Error(`There is no adapter ${unknown}: the adapters are ${every.join(", ")}.`);
const run = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: root, stdio: "inherit", ...options });
const inSeconds = (act) => {
  const start = Date.now();
  act();
  return ((Date.now() - start) / 1000).toFixed(1);
};

for (const name of names) {
  const cwd = placeOf(name);
  // Without a lock of its own, an adapter uses what the repository has installed.
  if (existsSync(join(cwd, "package-lock.json")))
    run("npm", ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"], {
      cwd,
    });
  if (existsSync(join(cwd, "tsconfig.json"))) run("npx", ["tsc", "-p", cwd]);
}
// The frameworks are loaded while the tests run, which takes minutes on a busy machine. One file at a time: they share a chain, which
// mines a block for each transaction, so that answers to one would end early by the blocks of all others.
const folders = names.map((name) => `${relative(root, placeOf(name))}/`);
const report = join(mkdtempSync(join(tmpdir(), "assay-report-")), "tests.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
run("npx", ["vitest", "run", ...folders, "--testTimeout=600000", "--no-file-parallelism", ...reporters]);
const { testResults } = JSON.parse(readFileSync(report, "utf8"));
const untested = folders.find((folder) => !testResults.some(({ name }) => name.includes(`/${folder}`)));
if (untested) throw new Error(`No test of ${untested} ran.`);

const dataDir = mkdtempSync(join(tmpdir(), "assay-adapters-"));
const place = { PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "warn", RATE_LIMITS: "off" };
const settings = Object.entries(place).map(([name, value]) => `${name}=${value}`);
const service = spawn("env", [...settings, process.execPath, "packages/service/dist/bundle/main.js"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  let printed = "";
  const url = await new Promise((ready, fail) => {
    service.once("exit", () => fail(new Error(`The service did not start:\n${printed}`)));
    service.stdout.on("data", (chunk) => {
      printed += chunk;
      const found = /^\s*service\s+(http:\S+)/m.exec(printed)?.[1];
      if (found) ready(found);
    });
  });
  for (const name of names) {
    console.log(`\n${name}`);
    const example = ["env", `ASSAY_URL=${url}`, `DATA_DIR=${dataDir}`, process.execPath];
    const [command, ...args] = [...example, join(placeOf(name), "example.mjs")];
    console.log(`(${inSeconds(() => run(command, args))} s)`);
  }
} finally {
  const ended = once(service, "exit");
  service.kill("SIGINT");
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}
