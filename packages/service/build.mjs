import { join } from "node:path";
import { buildIfOlder, sourceFolders } from "../../bundling.mjs";
import { serviceBundle } from "./bundle.mjs";

const here = import.meta.dirname;
const sources = [
  ...sourceFolders(["protocol", "chain", "pages", "capabilities", "devnet", "service"]),
  join(here, "../../bundling.mjs"),
  join(here, "bundle.mjs"),
  join(here, "package.json"),
];

await buildIfOlder(join(here, "dist/bundle/main.js"), sources, serviceBundle);
