import { actAsOwner } from "@assay/client/testing/actAsOwner";
import { service } from "./service.js";

/** Upgrades the sample UUPS proxy to its second version and back; the blocks of both upgrades. */
export async function upgradeAndBack(): Promise<{ upgraded: number; back: number }> {
  const upgrade = (name: string) =>
    actAsOwner(service.rpcUrl, service.contract("uupsProxy"), {
      functionName: "upgradeToAndCall",
      args: [service.contract(name), "0x"],
    });
  return { upgraded: await upgrade("uupsBoxV2"), back: await upgrade("uupsBoxV1") };
}
