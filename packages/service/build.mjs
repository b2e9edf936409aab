import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { serviceBundle } from "./bundle.mjs";

// Bundled again only when a source is newer: starting the service should not wait for it.
const here = import.meta.dirname;
const made = join(here, "dist/bundle/main.js");
const sources = [
  ...["protocol", "chain", "pages", "capabilities", "devnet", "service"].map((name) =>
    join(here, "..", name, "src"),
  ),
  join(here, "bundle.mjs"),
  join(here, "package.json"),
];

function newestMs(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

if (!existsSync(made) || Math.max(...sources.map(newestMs)) > statSync(made).mtimeMs)
  await build(serviceBundle);
