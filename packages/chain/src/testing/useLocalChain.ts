import { borrowDevnet, type LentDevnet } from "@assay/devnet/testing/sharedDevnet";
import type { Hex } from "@assay/protocol";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createChain } from "../createChain.js";
import type { Chain } from "../types.js";

/** On a busy machine a slow answer must not become no answer. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * A local chain without idle blocks for the tests of one file; what a test changes in its state is undone after it. The devnet
 * is shared by the files of a worker. The client of it is not: what it remembers of a block and of the head is a file's own.
 */
export function useLocalChain() {
  let lent: LentDevnet;
  let chain: Chain;
  let snapshot: Hex;

  beforeAll(async () => {
    lent = await borrowDevnet();
    const rpcUrls = [lent.devnet.rpcUrl];
    chain = await createChain({ rpcUrls, expectedChainId: 8453, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  }, 60_000);
  afterAll(async () => {
    await chain?.close();
    await lent?.release();
  });
  beforeEach(async () => {
    snapshot = await lent.devnet.snapshot();
  });
  afterEach(() => lent.devnet.revert(snapshot));

  return {
    get devnet() {
      return lent.devnet;
    },
    get chain() {
      return chain;
    },
    /** State set by force is seen from the next block on. */
    async setCode<A extends string>(address: A, code: string): Promise<A> {
      await lent.devnet.request("hardhat_setCode", [address, code]);
      await lent.devnet.mine();
      return address;
    },
    async setSlot(address: string, slot: Hex, value: string): Promise<void> {
      const word = `0x${value.slice(2).toLowerCase().padStart(64, "0")}`;
      await lent.devnet.request("hardhat_setStorageAt", [address, slot, word]);
      await lent.devnet.mine();
    },
  };
}
