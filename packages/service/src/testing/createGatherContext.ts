import { baseLaunchVenues, baseSwapRouters } from "@assay/rules";
import { createProofBasket } from "../capabilities/proofBasket.js";
import type { GatherContext } from "../capabilities/types.js";
import type { BlockHeader, Chain } from "../chain/types.js";
import type { Database } from "../store/database.js";

/** What a capability gathers with, for tests that run `gather` alone. */
export function createGatherContext(chain: Chain, block: BlockHeader, database?: Database): GatherContext {
  return {
    chain,
    block,
    payer: null,
    publicUrl: "http://127.0.0.1:8402",
    swapRouters: baseSwapRouters,
    launchVenues: baseLaunchVenues,
    issuers: [],
    pages: { read: () => Promise.reject(new Error("this test reads no pages")) },
    proofs: createProofBasket(block.hash),
    get database(): Database {
      if (!database) throw new Error("this test gave no database");
      return database;
    },
    answerAgain: () => Promise.reject(new Error("this test answers nothing else")),
  };
}
