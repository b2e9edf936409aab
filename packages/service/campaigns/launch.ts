import { runFromCommandLine } from "./commandLine.js";
import { runLaunch } from "./runLaunch.js";

await runFromCommandLine([], (options) => runLaunch(options));
// Threads that read code wait for more of it.
process.exit();
