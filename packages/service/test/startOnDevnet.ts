import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listLocalIssuers } from "@assay/capabilities";
import type { Devnet } from "@assay/devnet";
import type { Logger } from "pino";
import { readConfig } from "../src/start/config.js";
import { type RunningService, startService } from "../src/start/startService.js";

/** What a service stands on. */
export interface Place {
  readonly devnet: Devnet;
  readonly dataDir: string;
  readonly databaseUrl: string;
}

/** The real service on a local chain that somebody else started, and will stop. */
export async function startOnDevnet(
  { devnet, dataDir, databaseUrl }: Place,
  env: Record<string, string>,
  logger: Logger,
): Promise<RunningService> {
  const issuersFile = join(dataDir, "issuers.json");
  await mkdir(dataDir, { recursive: true });
  await writeFile(issuersFile, JSON.stringify(listLocalIssuers(devnet.contracts)));
  return startService(
    readConfig({
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      RPC_URL: devnet.rpcUrl,
      PAY_TO: devnet.payTo,
      SETTLER_PRIVATE_KEY: devnet.settler.privateKey,
      WEB_TEST_HOSTS: devnet.pageHost.join("="),
      ISSUERS_FILE: issuersFile,
      LOG_LEVEL: "silent",
      ...env,
    }),
    logger,
  );
}
