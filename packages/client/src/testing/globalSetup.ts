import type { TestProject } from "vitest/node";
import { copyDatabase } from "./copyDatabase.js";
import { type RunningService, startService } from "./startService.js";
import { startStub } from "./startStub.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the place of the shared service; the first request starts it. */
    sharedServiceStarter: string;
  }
}

/** One built service for all tests that call `getSharedService`, started when the first of them needs it. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<RunningService> | undefined;
  const starter = await startStub((_request, response) => {
    started ??= start(project);
    started.then(
      ({ url, dataDir }) => response.end(JSON.stringify({ url, dataDir })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("sharedServiceStarter", starter.url);
  return async () => {
    await starter.stop();
    const service = await started?.catch(() => undefined);
    await service?.stop();
  };
}

async function start(project: TestProject): Promise<RunningService> {
  const { postgresUrl } = project.getProvidedContext();
  return startService({
    DATABASE_URL: await copyDatabase(postgresUrl),
    // All callers come from one address.
    RATE_LIMITS: "off",
    BOUNTY_DELAY_SECONDS: "0",
  });
}
