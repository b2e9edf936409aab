import { join } from "node:path";
import { runFromCommandLine } from "./commandLine.js";
import { runAccuracy } from "./runAccuracy.js";

await runFromCommandLine([], (options) =>
  runAccuracy({ ...options, folder: join(process.cwd(), "bench/accuracy"), packaged: true }),
);
