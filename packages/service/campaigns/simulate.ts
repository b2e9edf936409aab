import { runFromCommandLine } from "./commandLine.js";
import { runControls, runSimulate } from "./runSimulate.js";

await runFromCommandLine(["lives", "--controls"], (options, read, isSet) => {
  const given = { ...options, lives: read("lives", isSet("controls") ? 2_000 : 100_000), livesPerWorld: 40 };
  return isSet("controls") ? runControls(given) : runSimulate(given);
});
