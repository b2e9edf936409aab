import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { asSources, buildIfOlder, groupLoaded, nodePrograms, sourceFolders } from "../../bundling.mjs";

// The command `assay` as a few files. Each run of it would otherwise load a thousand, which takes longer than what it does.
const here = import.meta.dirname;
const sources = [
  ...sourceFolders(["protocol", "capabilities", "client"]),
  join(here, "../capabilities/former"),
  join(here, "../../bundling.mjs"),
  join(here, "build.mjs"),
  join(here, "package.json"),
];

/** One copy for all packages; this workspace may have one for each. */
const zod = dirname(createRequire(import.meta.resolve("@assay/protocol")).resolve("zod/package.json"));

/** What a call needs before its first request, and what it needs afterwards: what these modules import while they run. */
const asking = ["cli/session.ts", "cli/payerAccount.ts", "loadAsking.ts"];
const paying = ["loadPaying.ts", "signPayment.ts", "cli/showAnswer.ts"];
const inSources = (names) => names.map((name) => join(here, "src", name));

await buildIfOlder(
  join(here, "dist/bundle/cli.js"),
  sources,
  nodePrograms({
    root: here,
    alias: [{ find: /^zod$/, replacement: zod }, ...asSources("\\w+")],
    input: { cli: join(here, "src/cli.ts") },
    groups: [
      // Without cli.ts, which waits for the others.
      groupLoaded("start", { modules: inSources(["cli/runProgram.ts", "cli/terminal.ts"]) }),
      groupLoaded("ask", { awaited: inSources(asking) }),
      groupLoaded("pay", { awaited: inSources(paying) }),
    ],
  }),
);
