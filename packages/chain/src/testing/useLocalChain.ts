import { createDevnet, type Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createChain } from "../createChain.js";
import type { Chain } from "../types.js";

/** A local chain without idle blocks for the tests of one file; what a test changes in its state is undone after it. */
export function useLocalChain() {
  let devnet: Devnet;
  let chain: Chain;
  let snapshot: Hex;

  beforeAll(async () => {
    devnet = await createDevnet({ blockTimeMs: 0 });
    chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
  }, 60_000);
  afterAll(async () => {
    await chain?.close();
    await devnet?.close();
  });
  beforeEach(async () => {
    snapshot = await devnet.snapshot();
  });
  afterEach(() => devnet.revert(snapshot));

  return {
    get devnet() {
      return devnet;
    },
    get chain() {
      return chain;
    },
    /** State set by force is seen from the next block on. */
    async setCode<A extends string>(address: A, code: string): Promise<A> {
      await devnet.request("hardhat_setCode", [address, code]);
      await devnet.mine();
      return address;
    },
    async setSlot(address: string, slot: Hex, value: string): Promise<void> {
      const word = `0x${value.slice(2).toLowerCase().padStart(64, "0")}`;
      await devnet.request("hardhat_setStorageAt", [address, slot, word]);
      await devnet.mine();
    },
  };
}
