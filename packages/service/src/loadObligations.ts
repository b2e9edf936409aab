import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Devnet } from "@assay/devnet";
import { ConfigError } from "./config.js";
import { type ObligationLine, parseObligationList } from "./obligations/obligationList.js";

/** What the service is to assert: the operator's list, or on the embedded chain a few of its own. */
export async function loadObligations(
  path: string | undefined,
  devnet: Devnet | undefined,
): Promise<readonly ObligationLine[]> {
  if (path === undefined) return devnet ? listLocalObligations(devnet) : [];
  if (!existsSync(path)) throw new ConfigError(`OBLIGATIONS_FILE ${path} does not exist.`);
  try {
    return parseObligationList(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new ConfigError(`OBLIGATIONS_FILE ${path}: ${error instanceof Error ? error.message : error}.`);
  }
}

const LOCAL_WINDOW_BLOCKS = 4;

/** Two proxies, and a token that nobody can replace: the verdict on that one shows what decisionGrade is about. */
async function listLocalObligations(devnet: Devnet): Promise<ObligationLine[]> {
  // The samples appear in the newest block; a window over them takes some more.
  await devnet.mine(LOCAL_WINDOW_BLOCKS);
  const { upgradeableProxy, beaconProxy, plainToken } = devnet.contracts;
  return parseObligationList(
    [upgradeableProxy, beaconProxy, plainToken].map((address) => ({
      type: "upgrade_window",
      address,
      windowBlocks: LOCAL_WINDOW_BLOCKS,
      challengeHours: 24,
    })),
  );
}
