import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading } from "@assay/protocol";

/** Calls that travel together; what asking one returns gives its answer once the batch is settled. */
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
