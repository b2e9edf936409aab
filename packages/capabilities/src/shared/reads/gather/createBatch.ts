import type { ChainRead, ReadValue } from "@assay/chain";
import { noAnswer, type Reading } from "@assay/protocol";

/** Reads that are sent together. Adding a read returns a function that gives its answer once the batch is done. */
export function createBatch<Read extends ChainRead = ChainRead>() {
  const reads: Read[] = [];
  let answers: readonly Reading<unknown>[] = [];
  return {
    reads: reads as readonly Read[],
    ask<const R extends Read>(read: R): () => Reading<ReadValue<R>> {
      const at = reads.push(read) - 1;
      return () => (answers[at] ?? noAnswer) as Reading<ReadValue<R>>;
    },
    settle(given: readonly Reading<unknown>[]): void {
      answers = given;
    },
  };
}

export type Batch<Read extends ChainRead = ChainRead> = ReturnType<typeof createBatch<Read>>;
