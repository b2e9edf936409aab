import { lowercase } from "@assay/chain/testing/lowercase";
import type { DevnetContracts } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import type { HookGuardInput } from "../input.js";

/** The input that asks about one of the local chain's v4 pools, which differ by their hooks alone. */
export function samplePool(
  { poolManager, plainToken, weth }: Pick<DevnetContracts, "poolManager" | "plainToken" | "weth">,
  hooks: string,
): HookGuardInput {
  const [currency0, currency1] = [lowercase(plainToken), lowercase(weth)].sort() as [Hex, Hex];
  return {
    poolManager: lowercase(poolManager),
    currency0,
    currency1,
    fee: 3000,
    tickSpacing: 60,
    hooks: lowercase(hooks),
  };
}
