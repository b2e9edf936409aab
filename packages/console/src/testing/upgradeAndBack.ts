import { actAsOwner } from "../../../client/src/testing/actAsOwner.js";
import type { RunningService } from "../../../client/src/testing/startService.js";

/** Lets the sample UUPS proxy run its second version for a moment; the blocks in which it came and went. */
export async function upgradeAndBack(service: RunningService): Promise<{ upgraded: number; back: number }> {
  const upgrade = (name: string) =>
    actAsOwner(service.rpcUrl, service.contract("uupsProxy"), {
      functionName: "upgradeToAndCall",
      args: [service.contract(name), "0x"],
    });
  return { upgraded: await upgrade("uupsBoxV2"), back: await upgrade("uupsBoxV1") };
}
