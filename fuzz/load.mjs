import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createServer, runnerImport } from "vite";
import { controlPlugin } from "../reliability/controlPlugin.mjs";
import { folder } from "./corpus.mjs";
import { coveragePlugin } from "./coveragePlugin.mjs";

const root = join(folder, "..");

export const listTargets = () =>
  readdirSync(join(folder, "targets"))
    .map((name) => name.replace(/\.mjs$/, ""))
    .sort();

/** Loads a target and the sources that it tries, with every branch marked. Returns it and the words of the sources. */
export async function loadTarget(name, coverage, without) {
  globalThis.__fuzzHit = coverage.hit;
  const words = new Set();
  const { module: projects } = await runnerImport(join(root, "testProjects.ts"), { logLevel: "error" });
  // Stays open, because some sources are loaded when they are first needed.
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: projects.sourceAliases },
    plugins: [...(without ? [controlPlugin(JSON.parse(without))] : []), coveragePlugin(words)],
  });
  const module = await server.environments.ssr.runner.import(join(folder, "targets", `${name}.mjs`));
  return { target: module.target, words: [...words] };
}
