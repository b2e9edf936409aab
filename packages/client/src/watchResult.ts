import type { CapabilityResult, Health } from "@assay/protocol";
import type { RequestOptions } from "./connect.js";
import { sleep } from "./sleep.js";

/** How much of an answer's window is left. */
export interface WindowState {
  readonly headBlock: number;
  readonly validUntilBlock: number;
  /** Blocks for which the answer still holds, including the head; 0 once it has ended. */
  readonly blocksLeft: number;
  /** By the block time that the service measures; null while it has none. */
  readonly secondsLeft: number | null;
  /** True once the answer no longer holds: `nextCall.recheck` says how to ask again. */
  readonly ended: boolean;
}

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;

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
    // Half of the remaining time, so that the end is noticed soon without a request for every block.
    const halfMs = ((validUntilBlock - (headBlock ?? 0) + 1) * (blockTimeMs ?? 1000)) / 2;
    await sleep(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, halfMs)), options.signal);
  }
}
