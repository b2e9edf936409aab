import type { TestProject } from "vitest/node";
import { copyDatabase } from "./copyDatabase.js";
import { startService } from "./startService.js";
import { startWhenAsked } from "./startWhenAsked.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the service that several files share. */
    sharedServiceStarter: string;
  }
}

/** One built service for all tests that call `getSharedService`, started when the first of them needs it. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const starter = await startWhenAsked(async () =>
    startService({
      DATABASE_URL: await copyDatabase(project.getProvidedContext().postgresUrl),
      // All callers come from one address.
      RATE_LIMITS: "off",
      BOUNTY_DELAY_SECONDS: "0",
    }),
  );
  project.provide("sharedServiceStarter", starter.url);
  return () => starter.stop();
}
