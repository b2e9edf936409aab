import { runFromCommandLine } from "./commandLine.js";
import { runMarket } from "./runMarket.js";

await runFromCommandLine(["rows"], (options, read) =>
  runMarket({ ...options, rows: read("rows", 1_000_000) }),
);
