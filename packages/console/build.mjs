import { join } from "node:path";
import { buildIfOlder } from "../../bundling.mjs";

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

await buildIfOlder(site, inputs, { configFile: join(here, "vite.config.ts"), logLevel: "warn" });
