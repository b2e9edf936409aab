import { runFromCommandLine } from "./commandLine.js";
import { runLaunch } from "./runLaunch.js";

await runFromCommandLine([], (options) => runLaunch(options));
