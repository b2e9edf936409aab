import { readConfig } from "./config.js";
import { runAdmin } from "./runAdmin.js";

runAdmin(process.argv.slice(2), () => readConfig(process.env), process.stdout).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`assay-admin: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  },
);
