import { startLocalService } from "../test/startLocalService.js";
import { runFromCommandLine } from "./commandLine.js";
import { learnKnownValues } from "./contractWorld.js";
import { runContract } from "./runContract.js";

await runFromCommandLine(["runs"], async (options, read) => {
  const service = await startLocalService({ RATE_LIMITS: "off" });
  try {
    const known = await learnKnownValues(service);
    return await runContract({ ...options, runs: read("runs", 10_000), url: service.url, known });
  } finally {
    await service.stop();
  }
});
// The scanner's thread belongs to the process, not to one service in it.
process.exit();
