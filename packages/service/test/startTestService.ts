import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Devnet } from "@assay/devnet";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { type DestinationStream, pino } from "pino";
import type { RunningService } from "../src/start/startService.js";
import { createTestDatabase, type TestDatabase } from "./createTestDatabase.js";
import { startOnDevnet } from "./startOnDevnet.js";

export interface TestService extends RunningService {
  readonly chainOf: Devnet;
  readonly db: TestDatabase;
}

/** The real service on a local chain, which is given back when it stops, and a fresh database, at a free port. */
export async function startTestService(
  env: Record<string, string> = {},
  logTo?: DestinationStream,
  chain: Devnet | Promise<Devnet> = openSharedDevnet({ blockTimeMs: 500 }),
): Promise<TestService> {
  const [devnet, db, dataDir] = await Promise.all([
    chain,
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "assay-service-")),
  ]);
  const place = { devnet, dataDir, databaseUrl: db.connectionString };
  const service = await startOnDevnet(place, env, pino({ level: env.LOG_LEVEL ?? "silent" }, logTo));
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
