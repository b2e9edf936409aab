import type { BlockHeader, Chain } from "@assay/chain";
import type { GatherContext } from "../gathering.js";
import type { Records } from "../records.js";
import { baseLaunchVenues } from "../shared/pools/launchVenues.js";
import { createProofCollector } from "../shared/proofs/proofCollector.js";
import { baseSwapRouters } from "../shared/swaps/swapRouters.js";
import { createMemoryRecords } from "./memoryRecords.js";

/** What a capability gathers with, for tests that run `gather` alone. */
export function createGatherContext(
  chain: Chain,
  block: BlockHeader,
  records: Records = createMemoryRecords(),
): GatherContext {
  return {
    chain,
    block,
    records,
    payer: null,
    publicUrl: "http://127.0.0.1:8402",
    swapRouters: baseSwapRouters,
    launchVenues: baseLaunchVenues,
    issuers: [],
    webTestHosts: new Map(),
    pages: { read: () => Promise.reject(new Error("this test reads no pages")) },
    proofs: createProofCollector(block.hash),
    answerAgain: () => Promise.reject(new Error("this test answers nothing else")),
  };
}
