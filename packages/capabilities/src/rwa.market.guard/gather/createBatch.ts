import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading } from "@assay/protocol";

/** Calls that are sent together. Adding a call returns a function that gives its answer once the batch is done. */
export function createBatch() {
  const reads: CallRead[] = [];
  let answers: readonly Reading<Hex>[] = [];
  return {
    reads,
    ask(read: CallRead): () => Reading<Hex> {
      const at = reads.push(read) - 1;
      return () => answers[at] ?? noAnswer;
    },
    settle(given: readonly Reading<Hex>[]): void {
      answers = given;
    },
  };
}

export type Batch = ReturnType<typeof createBatch>;
