import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

// The site is built only when one of its inputs is newer: starting the service should not wait for it.
const here = import.meta.dirname;
const site = join(here, "dist/site/index.html");
const inputs = [
  join(here, "src"),
  join(here, "public"),
  join(here, "index.html"),
  join(here, "vite.config.ts"),
  join(here, "package.json"),
  ...["protocol", "capabilities", "client"].map((name) => join(here, "..", name, "dist")),
];

function newestMs(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return path.endsWith(".tsbuildinfo") ? 0 : stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

if (Math.max(...inputs.map(newestMs)) > newestMs(site)) {
  await build({ configFile: join(here, "vite.config.ts"), logLevel: "warn" });
}
