import type { Devnet } from "@assay/devnet";
import { type ObligationLine, parseObligationList } from "../obligations/obligationList.js";
import { readOperatorFile } from "./readOperatorFile.js";

/** What the service is to assert: the operator's list, or on the embedded chain a few of its own. */
export async function loadObligations(
  path: string | undefined,
  devnet: Devnet | undefined,
): Promise<readonly ObligationLine[]> {
  if (path === undefined) return devnet ? listLocalObligations(devnet) : [];
  return readOperatorFile("OBLIGATIONS_FILE", path, parseObligationList);
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
