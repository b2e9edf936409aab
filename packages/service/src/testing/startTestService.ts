import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevnet, type Devnet } from "@assay/devnet";
import { type DestinationStream, pino } from "pino";
import { readConfig } from "../config.js";
import { listLocalIssuers } from "../loadIssuers.js";
import { type RunningService, startService } from "../startService.js";
import { createTestDatabase, type TestDatabase } from "./createTestDatabase.js";

export interface TestService extends RunningService {
  readonly chainOf: Devnet;
  readonly db: TestDatabase;
}

/** The real service on a fresh local chain and a fresh database, at a free port. */
export async function startTestService(
  env: Record<string, string> = {},
  logTo?: DestinationStream,
): Promise<TestService> {
  const [devnet, db, dataDir] = await Promise.all([
    createDevnet({ blockTimeMs: 500 }),
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "assay-service-")),
  ]);
  const issuersFile = join(dataDir, "issuers.json");
  await writeFile(issuersFile, JSON.stringify(listLocalIssuers(devnet)));
  const service = await startService(
    readConfig({
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: db.connectionString,
      RPC_URL: devnet.rpcUrl,
      PAY_TO: devnet.payTo,
      SETTLER_PRIVATE_KEY: devnet.settler.privateKey,
      WEB_TEST_HOSTS: devnet.pageHost.join("="),
      ISSUERS_FILE: issuersFile,
      LOG_LEVEL: "silent",
      ...env,
    }),
    pino({ level: env.LOG_LEVEL ?? "silent" }, logTo),
  );
  return {
    ...service,
    chainOf: devnet,
    db,
    async stop() {
      await service.stop();
      await Promise.all([devnet.close(), db.close(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}
