import { actAsOwner } from "@assay/client/testing/actAsOwner";
import type { RunningService } from "@assay/client/testing/startService";

/** Lets the sample UUPS proxy run its second version for a moment; the blocks in which it came and went. */
export async function upgradeAndBack(service: RunningService): Promise<{ upgraded: number; back: number }> {
  const upgrade = (name: string) =>
    actAsOwner(service.rpcUrl, service.contract("uupsProxy"), {
      functionName: "upgradeToAndCall",
      args: [service.contract(name), "0x"],
    });
  return { upgraded: await upgrade("uupsBoxV2"), back: await upgrade("uupsBoxV1") };
}
