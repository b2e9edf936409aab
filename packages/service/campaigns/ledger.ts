import { runFromCommandLine } from "./commandLine.js";
import { runLedger } from "./runLedger.js";

await runFromCommandLine(
  ["commands", "history", "round", "shrink-ms", "--without-cap", "--without-cause", "--without-debit"],
  (options, read, isSet) => {
    const without = (["cap", "cause", "debit"] as const).find((protection) => isSet(`without-${protection}`));
    return runLedger({
      ...options,
      commands: read("commands", 1_000_000),
      historyLength: read("history", 20_000),
      roundLength: read("round", 1_000),
      shrinkMs: read("shrink-ms", 60_000),
      ...(without && { without }),
    });
  },
);
