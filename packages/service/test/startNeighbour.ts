import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { RunningService } from "../src/start/startService.js";
import { startOnDevnet } from "./startOnDevnet.js";
import type { TestService } from "./startTestService.js";

export type Neighbour = RunningService;

/** A second process of the same deployment: on the same chain and the same database. */
export async function startNeighbour(
  { chainOf: devnet, db }: Pick<TestService, "chainOf" | "db">,
  env: Record<string, string>,
): Promise<Neighbour> {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-neighbour-"));
  const place = { devnet, dataDir, databaseUrl: db.connectionString };
  // Two processes must not settle with one key.
  const SETTLER_PRIVATE_KEY = devnet.deployer.privateKey;
  const service = await startOnDevnet(place, { SETTLER_PRIVATE_KEY, ...env }, pino({ level: "silent" }));
  return {
    ...service,
    async stop() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
