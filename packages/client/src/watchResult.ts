import type { CapabilityResult, Health } from "@assay/protocol";
import type { RequestOptions } from "./connect.js";
import { sleep } from "./sleep.js";

/** How much of an answer's window is left. */
export interface WindowState {
  readonly headBlock: number;
  readonly validUntilBlock: number;
  /** Blocks for which the answer still holds, the present one included; 0 once it has ended. */
  readonly blocksLeft: number;
  /** By the block time the service measures; null while it has none. */
  readonly secondsLeft: number | null;
  /** Whether asking again may give another answer: `nextCall.recheck` says how. */
  readonly ended: boolean;
}

const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/**
 * Follows the chain's head until an answer no longer holds. The last state has `ended: true`.
 *
 * @example
 * for await (const { blocksLeft, ended } of client.watch(answer)) if (ended) answer = (await client.call(…)).answer;
 */
export async function* watchResult(
  health: (options: RequestOptions) => Promise<Health>,
  { result }: CapabilityResult,
  options: RequestOptions = {},
): AsyncGenerator<WindowState, void, undefined> {
  const { validUntilBlock } = result;
  for (;;) {
    options.signal?.throwIfAborted();
    const { headBlock, blockTimeMs } = await health(options);
    if (headBlock !== null) {
      const blocksLeft = Math.max(0, validUntilBlock - headBlock + 1);
      const secondsLeft = blockTimeMs === null ? null : Math.round((blocksLeft * blockTimeMs) / 1000);
      yield { headBlock, validUntilBlock, blocksLeft, secondsLeft, ended: blocksLeft === 0 };
      if (blocksLeft === 0) return;
    }
    // Half of what is left, so that the end is met closely without asking for every block.
    const halfMs = ((validUntilBlock - (headBlock ?? 0) + 1) * (blockTimeMs ?? 1000)) / 2;
    await sleep(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, halfMs)), options.signal);
  }
}
