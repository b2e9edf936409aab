import { inject } from "vitest";
import { copyDatabase } from "./copyDatabase.js";
import { type RunningService, startService } from "./startService.js";

/** A service for the tests of one file, on the run's PostgreSQL. */
export async function startOwnService(settings: Record<string, string> = {}): Promise<RunningService> {
  return startService({ DATABASE_URL: await copyDatabase(inject("postgresUrl")), ...settings });
}
