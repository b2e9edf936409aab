import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../src/store/embeddedPostgres.js";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One real PostgreSQL for the whole run; each test makes its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "assay-test-"));
  // As root, PostgreSQL runs under another account and would otherwise move to /var/tmp, where nobody cleans up.
  await chmod(directory, 0o711);
  const postgres = await startEmbeddedPostgres({ directory, fresh: true, durable: false });
  project.provide("postgresUrl", postgres.connectionString);
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
