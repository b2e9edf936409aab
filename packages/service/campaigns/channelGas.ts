import { runFromCommandLine } from "./commandLine.js";
import { runChannelGas } from "./runChannelGas.js";

await runFromCommandLine(["channels", "calls"], (options, read) =>
  runChannelGas({ ...options, channels: read("channels", 3), calls: read("calls", 100) }),
);
