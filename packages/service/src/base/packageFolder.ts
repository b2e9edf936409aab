import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** The folder of this package, the same for sources and for the build. Ends with a slash. */
export const packageFolder = new URL(
  `${pathToFileURL(dirname(createRequire(import.meta.url).resolve("@assay/service/package.json"))).href}/`,
);
