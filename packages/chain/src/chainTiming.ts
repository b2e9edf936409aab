/** How long the chain waits, in milliseconds. */
export interface ChainTiming {
  /** Before each further round over the nodes. */
  readonly roundDelaysMs: readonly number[];
  /** Before the rounds after those, which are only for a block that no node has yet. */
  readonly blockDelaysMs: readonly number[];
  /** For a second node, once the first one has answered. */
  readonly secondNodeMs: number;
  /** Between two polls of the head after a question: half a block's time, within these bounds. */
  readonly minPollMs: number;
  readonly maxPollMs: number;
  /** Between two polls while nobody asks: as long as the last question is ago, and at most this. */
  readonly idlePollMs: number;
  /** Between two polls of a node that sends its heads by itself. */
  readonly sentHeadsPollMs: number;
}

export const DEFAULT_TIMING: ChainTiming = {
  roundDelaysMs: [75, 175],
  // A backend that lags behind the one that named the block has it a moment later: about a second in all.
  blockDelaysMs: [300, 450],
  // A caller that already has an answer should not wait long for its confirmation.
  secondNodeMs: 1_000,
  minPollMs: 200,
  maxPollMs: 1_000,
  // Each poll costs money with most providers.
  idlePollMs: 1_250,
  sentHeadsPollMs: 5_000,
};
