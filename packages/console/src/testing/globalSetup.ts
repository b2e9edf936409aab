import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase } from "@assay/client/testing/copyDatabase";
import { startService } from "@assay/client/testing/startService";
import { startWhenAsked } from "@assay/client/testing/startWhenAsked";
import { BASE_WETH } from "@assay/protocol";
import type { TestProject } from "vitest/node";
import { whyNoBrowser } from "./findChromium.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the service that all tests of the console share. */
    consoleServiceStarter: string;
    /** Of the run's PostgreSQL, which the service's own set-up starts before this one. */
    postgresUrl: string;
  }
}

/** The service's own claim, about a contract that the local chain has at Base's address. */
const obligations = [{ type: "bytecode", address: BASE_WETH, windowBlocks: 1, challengeHours: 24 }];

/**
 * One built service for all tests of the console, started when the first of them needs it. They share its chain, log and database, so each test that
 * depends on a price or a balance has a contract and a wallet of its own.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  requireBrowser();
  const folder = await mkdtemp(join(tmpdir(), "assay-console-"));
  const obligationsFile = join(folder, "obligations.json");
  await writeFile(obligationsFile, JSON.stringify(obligations));
  const starter = await startWhenAsked(async () =>
    startService({
      DATABASE_URL: await copyDatabase(project.getProvidedContext().postgresUrl),
      OBLIGATIONS_FILE: obligationsFile,
      // An answer is valid for a number of seconds, so short blocks make its window many blocks long: the blocks that
      // other tests mine by paying do not end it.
      DEVNET_BLOCK_TIME_MS: "200",
      // All visitors come from one address.
      RATE_LIMITS: "off",
      BOUNTY_DELAY_SECONDS: "0",
    }),
  );
  project.provide("consoleServiceStarter", starter.url);
  return async () => {
    await starter.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Says once in a run that browser tests are left out, or ends the run where they must not be. */
function requireBrowser(): void {
  const reason = whyNoBrowser();
  if (reason === undefined) return;
  if (process.env.ASSAY_REQUIRE_BROWSER === "1") throw new Error(reason);
  console.warn(reason);
}
