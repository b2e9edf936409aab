import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevnet } from "@assay/devnet";
import { pino } from "pino";
import { startEmbeddedPostgres } from "../src/store/embeddedPostgres.js";
import { startOnDevnet } from "./startOnDevnet.js";
import type { TestService } from "./startTestService.js";

/** The real service on a chain and a database of its own, for commands that run outside of the tests. */
export async function startLocalService(
  env: Record<string, string>,
): Promise<Pick<TestService, "chainOf" | "context" | "url" | "stop">> {
  const directory = await mkdtemp(join(tmpdir(), "assay-local-"));
  // As root, PostgreSQL runs under another account, which must be able to enter the directory.
  await chmod(directory, 0o711);
  const devnet = await createDevnet({ blockTimeMs: 500 });
  const postgres = await startEmbeddedPostgres({ directory, fresh: true, durable: false });
  const place = { devnet, dataDir: join(directory, "data"), databaseUrl: postgres.connectionString };
  const service = await startOnDevnet(place, env, pino({ level: "silent" }));
  return {
    ...service,
    chainOf: devnet,
    async stop() {
      await service.stop();
      await Promise.all([devnet.close(), postgres.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
