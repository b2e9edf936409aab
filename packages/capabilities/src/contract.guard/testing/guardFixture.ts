import type { Chain, ChainRead } from "@assay/chain";
import { alteredChain, type Change } from "@assay/chain/testing/alteredChain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import type { Hex } from "@assay/protocol";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import { rule } from "../rule.js";

const contractGuard = { ...rule, ...gatherer };

export const FRESH = "0x00000000000000000000000000000000c0de0001";
export const NOWHERE = "0x00000000000000000000000000000000dead0001";

export const word = (value: string): Hex => `0x${lowercase(value).slice(2).padStart(64, "0")}`;
export const cloneOf = (target: string): Hex =>
  `0x363d3d373d3d3d363d73${lowercase(target).slice(2)}5af43d82803e903d91602b57fd5bf3`;
/** Code that answers every call with this word. */
export const answering = (value: string): Hex => `0x7f${word(value).slice(2)}60005260206000f3`;

/** A local chain for the tests of one file; what a test changes in its state is undone after it. */
export function useGuardFixture() {
  const local = useLocalChain();

  return {
    get devnet() {
      return local.devnet;
    },
    get chain() {
      return local.chain;
    },

    /** Runs the capability as the service does, recording the batches it asks for. */
    async guard(address: string, through: Chain = local.chain) {
      const { chain, asked } = recordReads(through);
      const block = await local.chain.latestBlock();
      const input = { address: lowercase(address) };
      const context = createGatherContext(chain, block);
      const result = await runCapability(contractGuard, context, input);
      return { ...result, proofs: context.proofs, block, asked, batches: asked.length };
    },

    setCode: (code: Hex, address = FRESH) => local.setCode(address, code),
    setSlot: local.setSlot,
    async sendAsDeployer(to: string, data: Hex): Promise<void> {
      const { devnet } = local;
      const from = devnet.deployer.address;
      await devnet.request("hardhat_impersonateAccount", [from]);
      await devnet.request("eth_sendTransaction", [{ from, to, data }]);
      await devnet.mine();
    },

    deafTo: (matches: (read: ChainRead) => boolean): Chain => withoutAnswers(local.chain, matches),
    altered: (change: Change): Chain => alteredChain(local.chain, change),
  };
}
