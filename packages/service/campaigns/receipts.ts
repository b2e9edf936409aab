import { runFromCommandLine } from "./commandLine.js";
import { runReceipts } from "./runReceipts.js";

await runFromCommandLine(["receipts", "repeats"], (options, read) =>
  runReceipts({
    ...options,
    receipts: read("receipts", 10_000_000),
    repeats: read("repeats", 200),
  }),
);
