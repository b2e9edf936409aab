import { join } from "node:path";
import { runFromCommandLine } from "./commandLine.js";
import { runMessage } from "./runMessage.js";

await runFromCommandLine([], (options) =>
  runMessage({
    ...options,
    folder: join(process.cwd(), "bench/accuracy"),
    kits: join(process.cwd(), "bench/message"),
    packaged: true,
  }),
);
