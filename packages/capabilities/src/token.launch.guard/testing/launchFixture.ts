import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import { verifyFacts } from "../../shared/proofs/provableFact.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { createLauncher } from "../../testing/createLauncher.js";
import { createMemoryRecords } from "../../testing/memoryRecords.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import { rule } from "../rule.js";

const tokenLaunchGuard = { ...rule, ...gatherer };

/** A local chain for the tests of one file; what a test changes in its state is undone after it. */
export function useLaunchFixture() {
  const local = useLocalChain();
  const records = createMemoryRecords();

  return {
    get devnet() {
      return local.devnet;
    },
    get launcher() {
      return createLauncher(local.devnet);
    },

    /** Runs the capability as the service does, recording the batches it asks for. */
    async guard(address: string, through: Chain = local.chain, gather = gatherer.gather) {
      const { chain, asked } = recordReads(through);
      const block = await local.chain.latestBlock();
      const input = { address: lowercase(address) };
      const context = createGatherContext(chain, block, records);
      const result = await runCapability({ ...tokenLaunchGuard, gather }, context, input);
      if (through === local.chain) verifyFacts(context.proofs, result.facts);
      return { ...result, asked, batches: asked.length };
    },

    /** How to gather with what is seen of the token now. */
    async lookAhead(address: string, through: Chain = local.chain) {
      const context = createGatherContext(through, await local.chain.latestBlock(), records);
      const gather = await gatherer.lookAhead?.(context, { address: lowercase(address) });
      if (gather === undefined) throw new Error("the guard does not look ahead");
      return gather;
    },

    /** A chain in front of the real one that gets no answer to some reads. */
    deafTo: (matches: (read: ChainRead) => boolean): Chain => withoutAnswers(local.chain, matches),
  };
}
