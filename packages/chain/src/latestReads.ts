import { unanswered } from "@assay/protocol";
import { interpretRead } from "./askReadings.js";
import { describeRead } from "./readQuery.js";
import type { RpcPool } from "./rpcPool.js";
import type { Chain, LatestRead, ReadingsOf } from "./types.js";

/** Reads at the newest block of the node that answers. Nothing is memoized, because the next block may change it. */
export function createLatestReads(options: { pool: RpcPool }): Chain["readLatest"] {
  const { pool } = options;
  return async function readLatest<const R extends readonly LatestRead[]>(reads: R) {
    const queries = reads.map((read) => describeRead(undefined, read));
    const attempts = await pool.resolve(queries, async (node, items, timeoutMs) => {
      const requests = items.map(({ method, params }) => ({ method, params: params("latest") }));
      const answers = await node.send(requests, { timeoutMs });
      return items.map((query, i) => interpretRead(query, answers[i]));
    });
    // The mapped type follows the order of `reads`, which TypeScript cannot see through `map`.
    return attempts.map((attempt) =>
      attempt.ok ? attempt.value : unanswered(attempt.reason),
    ) as unknown as ReadingsOf<R>;
  };
}
