import type { Devnet } from "@assay/devnet";
import { type ObligationLine, parseObligationList } from "../obligations/obligationList.js";
import { readOperatorFile } from "./readOperatorFile.js";

/** What the service asserts: the operator's list or, on the embedded chain, a few samples. */
export async function loadObligations(
  path: string | undefined,
  devnet: Devnet | undefined,
): Promise<readonly ObligationLine[]> {
  if (path === undefined) return devnet ? listLocalObligations(devnet) : [];
  return readOperatorFile("OBLIGATIONS_FILE", path, parseObligationList);
}

const LOCAL_WINDOW_BLOCKS = 4;

/** Two proxies, and a token whose code nobody can replace: the verdict on that one shows what decisionGrade means. */
async function listLocalObligations(devnet: Devnet): Promise<ObligationLine[]> {
  // The samples are deployed in the newest block, and a window over them needs some more blocks.
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
