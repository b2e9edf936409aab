import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import { verifyFacts } from "../../shared/proofs/provableFact.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { createMemoryRecords } from "../../testing/memoryRecords.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import { rule } from "../rule.js";

const contractInterface = { ...rule, ...gatherer };

const FRESH = "0x00000000000000000000000000000000c0de0002";
export const NOWHERE = "0x00000000000000000000000000000000dead0002";

export const cloneOf = (target: string) =>
  `0x363d3d373d3d3d363d73${lowercase(target).slice(2)}5af43d82803e903d91602b57fd5bf3`;

/** A local chain for the tests of one file; what a test changes in its state is undone after it. */
export function useInterfaceFixture() {
  const local = useLocalChain();
  const records = createMemoryRecords();

  return {
    local,
    records,
    setCode: (code: string, address: string = FRESH) => local.setCode(address, code),

    /** Runs the capability as the service does, counting the batches it asks for. */
    async inspect(address: string, through: Chain = local.chain) {
      const { chain, asked } = recordReads(through);
      const block = await local.chain.latestBlock();
      const input = { address: lowercase(address) };
      const context = createGatherContext(chain, block, records);
      const result = await runCapability(contractInterface, context, input);
      if (through === local.chain) verifyFacts(context.proofs, result.facts);
      return { ...result, block, batches: asked.length };
    },

    /** A chain that gets no answer to some reads, and was never seen to prove anything. */
    deafTo: (matches: (read: ChainRead) => boolean): Chain => ({
      ...withoutAnswers(local.chain, matches),
      provesState: () => false,
    }),
  };
}
