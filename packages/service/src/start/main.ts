import { WrongChainError } from "@assay/chain";
import { DataDirectoryInUseError } from "../store/dataDirectoryLock.js";
import { readConfig } from "./config.js";
import { ConfigError } from "./configError.js";
import { createLogger } from "./logger.js";
import { startService } from "./startService.js";
import { startupReport } from "./startupReport.js";
import { isFirstWorker, isSupervisor, reportReady, supervise, takeShare } from "./supervise.js";

/** An error that the operator can fix: reported in one sentence, without a stack. */
function isOperatorError(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof DataDirectoryInUseError ||
    error instanceof WrongChainError
  );
}

async function main(): Promise<void> {
  const given = readConfig(process.env);
  const logger = createLogger(given.logLevel);
  if (isSupervisor(given)) return supervise(given, logger);
  const config = takeShare(given, process.env);
  const startedAt = performance.now();
  const starting = startService(config, logger);

  let stopping = false;
  const shutDown = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    process.stdout.write(`\n${signal} received: finishing requests in progress, then stopping.\n`);
    // Also while starting: otherwise a database server would be left running.
    await (await starting).stop();
    process.stdout.write("Stopped; nothing is left running.\n");
    process.exit(0);
  };
  process.on("SIGINT", () => shutDown("SIGINT"));
  process.on("SIGTERM", () => shutDown("SIGTERM"));
  // A closed terminal or pipe: stop in order, and do not crash because output cannot be written.
  process.on("SIGHUP", () => shutDown("SIGHUP"));
  process.stdout.on("error", () => undefined);

  const service = await starting;
  reportReady(() => void shutDown("The supervisor's end"));
  // The embedded chain can everything; of others the operator should know what they lack.
  if (config.rpcUrls && !stopping) await service.context.chain.probeNodes();
  if (!stopping && isFirstWorker(process.env))
    process.stdout.write(startupReport(config, service, Math.round(performance.now() - startedAt)));
}

main().catch((error: unknown) => {
  const text = isOperatorError(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`assay: ${text}\n`);
  process.exit(1);
});
