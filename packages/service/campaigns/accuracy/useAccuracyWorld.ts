import { existsSync } from "node:fs";
import { type Chain, createChain } from "@assay/chain";
import { createDevnet } from "@assay/devnet";
import { type AccuracyWorld, createAccuracyWorld } from "./accuracyWorld.js";
import { type Setup, setUp } from "./setUp.js";

export interface AccuracyPackages {
  /** The folder of `bench/accuracy`. */
  readonly folder: string;
  /** Whether to use the packages installed there. */
  readonly packaged: boolean;
}

/** A chain of its own with the contracts that cases refer to. */
export async function useAccuracyWorld<T>(
  { folder, packaged }: AccuracyPackages,
  work: (chain: Chain, world: AccuracyWorld, setup: Setup) => Promise<T>,
): Promise<T> {
  const packages = packaged ? folder : undefined;
  if (packages !== undefined && !existsSync(`${packages}/node_modules`))
    throw new Error(`the packages of ${packages} are not installed`);
  const devnet = await createDevnet({ blockTimeMs: 0 });
  const chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
  try {
    const world = await createAccuracyWorld(devnet, packages);
    return await work(chain, world, await setUp(world));
  } finally {
    await chain.close();
    await devnet.close();
  }
}
