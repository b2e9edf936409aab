import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

// What the packages' bundles have in common.
const packages = join(import.meta.dirname, "packages");

/** Our packages, named by a pattern of their names, as sources. */
export const asSources = (names) => [
  { find: new RegExp(`^@assay/(${names})$`), replacement: join(packages, "$1/src/index.ts") },
  { find: new RegExp(`^@assay/(${names})/(.+)$`), replacement: join(packages, "$1/src/$2.ts") },
];

/** The sources of packages, as folders. */
export const sourceFolders = (names) => names.map((name) => join(packages, name, "src"));

const common = { configFile: false, logLevel: "warn" };

/** Programs for Node, with everything that they load, as a few files. */
export const nodePrograms = ({
  root,
  alias = [],
  input,
  external = [],
  plugins = [],
  outDir = "dist/bundle",
  groups = [],
}) => ({
  ...common,
  root,
  plugins,
  resolve: { alias },
  ssr: { noExternal: true, external },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: "node20",
    minify: false,
    rolldownOptions: {
      input,
      // A group joins on purpose what is imported later.
      checks: { ineffectiveDynamicImport: groups.length === 0 },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        ...(groups.length > 0 && { codeSplitting: { groups } }),
      },
    },
  },
});

/**
 * One file for all that is loaded together: these modules and what they import at once; and where a module is named as awaited, what it
 * imports while it runs. A module is taken by the first group that has it.
 */
export function groupLoaded(name, { modules = [], awaited = [] }) {
  let loaded;
  return {
    debugName: name,
    name: (id, bundle) => {
      // What these import comes with them.
      loaded ??= [...modules, ...awaited.flatMap((one) => bundle.getModuleInfo(one).dynamicallyImportedIds)];
      return loaded.includes(id) ? name : null;
    },
  };
}

/** One file for any engine. Published packages of others stay imports. */
export const oneModule = ({ root, alias, entry, folder, name }) => ({
  ...common,
  root,
  resolve: { alias },
  build: {
    lib: { entry, formats: ["es"], fileName: () => name },
    outDir: folder,
    emptyOutDir: false,
    minify: true,
    target: "es2022",
    rolldownOptions: {
      external: (id) => !/^([./]|@assay\/)/.test(id),
      output: { codeSplitting: false, minify: true },
    },
  },
});

function newestMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat && !path.endsWith(".tsbuildinfo") ? stat.mtimeMs : 0;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** Builds only where one of the sources is newer than what was made: starting the service should not wait for it. */
export async function buildIfOlder(made, sources, config) {
  if (Math.max(...sources.map(newestMs)) > newestMs(made)) await build(config);
}
