import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "vite";
import { buildIfOlder, nodePrograms } from "../../bundling.mjs";
import { serviceBundle } from "./bundle.mjs";

// `npm run dev`: bundles the sources, starts the service as `npm start` does, and starts it again after each change.
const here = import.meta.dirname;
const outDir = "dist/dev";
const main = join(here, outDir, "main.js");

// Three quarters of what a bundle is made of, and never edited: bundled once. Other libraries are loaded by Node from where they are.
const libraries = [
  "@hono/node-server",
  "@modelcontextprotocol/sdk/server/index.js",
  "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js",
  "@modelcontextprotocol/sdk/types.js",
  "@x402/core/http",
  "@x402/extensions/bazaar",
  "@x402/extensions/offer-receipt",
  "@x402/extensions/payment-identifier",
  "hono",
  "hono/cors",
  "viem",
  "viem/utils",
  "zod",
];
const nameOf = (library) => library.replace(/\W+/g, "_");
const libraryFile = (library) => join(here, "dist/libraries", `${nameOf(library)}.js`);
const libraryBundle = nodePrograms({
  root: here,
  input: Object.fromEntries(libraries.map((library) => [nameOf(library), library])),
  outDir: "dist/libraries",
});
const keepLibrariesOut = {
  name: "keep-libraries-out",
  enforce: "pre",
  resolveId: {
    filter: { id: /^[@a-z]/ },
    handler(id) {
      if (libraries.includes(id)) return { id: libraryFile(id), external: true };
      return /^(@assay\/|css-tree)/.test(id) ? undefined : { id, external: true };
    },
  },
};

let running;
/** The process that starts next. Libraries take as long to load as the rest of a start; it has loaded them before. */
let spare;
let changedAtMs = 0;

/** Asks the process to stop, and waits until it has. */
async function stop() {
  const child = running;
  running = undefined;
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

const prepare = () =>
  spawn(process.execPath, [join(here, "devProcess.mjs")], { stdio: ["inherit", "pipe", "inherit", "ipc"] });

function start() {
  running = spare ?? prepare();
  running.send(main);
  running.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    if (changedAtMs > 0 && String(chunk).includes("service ")) {
      process.stdout.write(
        `  restarted ${((Date.now() - changedAtMs) / 1000).toFixed(1)} s after the change\n\n`,
      );
      changedAtMs = 0;
    }
    spare ??= prepare();
  });
  spare = undefined;
}

await buildIfOlder(
  libraryFile("viem"),
  [join(here, "../../package-lock.json"), import.meta.filename],
  libraryBundle,
);
spare = prepare();
// Some editors delete a file and write it anew: two events, milliseconds apart, that are one change.
const watch = { buildDelay: 30 };
const watcher = await build({
  ...serviceBundle,
  plugins: [keepLibrariesOut, ...serviceBundle.plugins],
  build: { ...serviceBundle.build, outDir, emptyOutDir: false, watch },
});
let turn = Promise.resolve();
watcher.on("change", () => {
  changedAtMs ||= Date.now();
  // Beside the bundling, which takes as long.
  turn = turn.then(stop);
});
watcher.on("event", ({ code, error }) => {
  if (code === "ERROR") process.stderr.write(`${error}\nWaiting for the next change.\n`);
  if (code === "END") turn = turn.then(stop).then(start);
});
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    void turn.then(stop).then(() => process.exit(0));
  });
