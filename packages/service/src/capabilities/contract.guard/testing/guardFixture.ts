import { createDevnet, type Devnet } from "@assay/devnet";
import { canonicalJson, type Hex, type Reading } from "@assay/protocol";
import { contractGuardReadingsSchema } from "@assay/rules";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createChain } from "../../../chain/createChain.js";
import type { BlockHeader, Chain, ChainRead } from "../../../chain/types.js";
import { createGatherContext } from "../../../testing/createGatherContext.js";
import { contractGuard } from "../definition.js";

export const FRESH = "0x00000000000000000000000000000000c0de0001";
export const NOWHERE = "0x00000000000000000000000000000000dead0001";

export const low = (address: string) => address.toLowerCase() as Hex;
export const word = (value: string): Hex => `0x${low(value).slice(2).padStart(64, "0")}`;
export const cloneOf = (target: string): Hex =>
  `0x363d3d373d3d3d363d73${low(target).slice(2)}5af43d82803e903d91602b57fd5bf3`;
/** Code that answers every call with this word. */
export const answering = (value: string): Hex => `0x7f${word(value).slice(2)}60005260206000f3`;

/** A local chain for the tests of one file; what a test changes in its state is undone after it. */
export function useGuardFixture() {
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

    /** Runs the capability as the service does, recording the batches it asks for. */
    async guard(address: string, through: Chain = chain) {
      const asked: (readonly ChainRead[])[] = [];
      const counted: Chain = {
        ...through,
        readAt: (block, reads) => {
          asked.push(reads);
          return through.readAt(block, reads);
        },
      };
      const block = await chain.latestBlock();
      const input = { address: low(address) };
      const context = createGatherContext(counted, block);
      const gathered = await contractGuard.gather(context, input);
      const recorded = contractGuardReadingsSchema.parse(JSON.parse(canonicalJson(gathered.readings)));
      const evaluation = contractGuard.evaluate(input, recorded);
      const facts = contractGuard.listFacts(input, recorded);
      const { proofs } = context;
      return { ...evaluation, gathered, facts, proofs, block, asked, batches: asked.length };
    },

    /** State set by force is seen from the next block on. */
    async setCode(code: Hex, address = FRESH): Promise<string> {
      await devnet.request("hardhat_setCode", [address, code]);
      await devnet.mine();
      return address;
    },
    async setSlot(address: string, slot: Hex, value: string): Promise<void> {
      await devnet.request("hardhat_setStorageAt", [address, slot, word(value)]);
      await devnet.mine();
    },
    async sendAsDeployer(to: string, data: Hex): Promise<void> {
      const from = devnet.deployer.address;
      await devnet.request("hardhat_impersonateAccount", [from]);
      await devnet.request("eth_sendTransaction", [{ from, to, data }]);
      await devnet.mine();
    },

    /** A chain in front of the real one that gets no answer to some reads. */
    deafTo(matches: (read: ChainRead) => boolean): Chain {
      return alter(chain, (read, reading) =>
        matches(read) ? { status: "unanswered", reason: "timeout" } : reading,
      );
    },
    /** A chain in front of the real one that changes what some reads answer. */
    altered(change: Change): Chain {
      return alter(chain, change);
    },
  };
}

type Change = (read: ChainRead, honest: Reading<unknown>) => Reading<unknown>;

function alter(chain: Chain, change: Change): Chain {
  return {
    ...chain,
    async readAt<const R extends readonly ChainRead[]>(block: BlockHeader, reads: R) {
      const readings: readonly Reading<unknown>[] = await chain.readAt(block, reads);
      const changed: unknown = reads.map((read, index) => change(read, readings[index] as Reading<unknown>));
      return changed as Awaited<ReturnType<typeof chain.readAt<R>>>;
    },
  };
}
