import type { Hex } from "@assay/protocol";
import { createClient } from "../createClient.js";
import { actAsOwner } from "./actAsOwner.js";
import type { ConnectedService } from "./connectToService.js";

const HOUR_MS = 3_600_000;

export interface FalseClaim {
  readonly claimId: Hex;
  readonly opener: Hex;
  /** The first block at which it is false, and what ran there. */
  readonly falseAt: number;
  readonly implementation: Hex;
}

/** Claims that a proxy ran one implementation throughout a window; in the middle of it another one ran. */
export async function openFalseClaim(service: ConnectedService, opener: string): Promise<FalseClaim> {
  const [proxy, claimed, other] = ["uupsProxy", "uupsBoxV1", "uupsBoxV2"].map(service.contract) as [
    Hex,
    Hex,
    Hex,
  ];
  const upgradeTo = (implementation: Hex) =>
    actAsOwner(service.rpcUrl, proxy, { functionName: "upgradeToAndCall", args: [implementation, "0x"] });
  const falseAt = await upgradeTo(other);
  const toBlock = await upgradeTo(claimed);
  const account = service.wallet(opener);
  const { record } = await createClient({ baseUrl: service.url, account }).openClaim({
    address: proxy,
    implementation: claimed,
    fromBlock: falseAt - 1,
    toBlock,
    rewardUsd: 5,
    deadline: new Date(Date.now() + 2 * HOUR_MS),
  });
  return { claimId: record.claimId, opener: account.address, falseAt, implementation: other };
}
