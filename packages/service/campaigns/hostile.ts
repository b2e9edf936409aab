import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../src/store/embeddedPostgres.js";
import { runFromCommandLine } from "./commandLine.js";
import { runHostileCampaign } from "./hostileCampaign.js";

const directory = await mkdtemp(join(tmpdir(), "assay-hostile-"));
// As root, PostgreSQL runs under another account, which must be able to enter the directory.
await chmod(directory, 0o711);
const postgres = await startEmbeddedPostgres({ directory, fresh: true, durable: false });
let isStopped = false;
// Stops the server also when this process is interrupted.
process.once("exit", () => isStopped || process.kill(postgres.pid, "SIGINT"));
const flags = ["seeds", "payloads", "--trusting", "--402-while-unknown"];
await runFromCommandLine(flags, async (options, read, isSet) => {
  const without = isSet("trusting")
    ? "trust the facilitator"
    : isSet("402-while-unknown")
      ? "402 while unknown"
      : undefined;
  return runHostileCampaign({
    ...options,
    postgresUrl: postgres.connectionString,
    seedsEach: read("seeds", 200),
    payloads: without ? 0 : read("payloads", 1_000),
    without,
  });
});
await postgres.stop();
isStopped = true;
await rm(directory, { recursive: true, force: true });
// Connections of the last world's facilitator may stay open.
process.exit();
