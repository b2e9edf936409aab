/** How long a lane waits; tests wait less. */
export interface LanePatience {
  /** A caller waits at most this long for an outcome. */
  readonly giveUpMs: number;
  /** A transaction not mined after this time, or four blocks if those last longer, is sent again with higher fees. */
  readonly stuckMs: number;
  /** What no node would take for this long is given up: nothing was sent, and its nonce is free again. */
  readonly untakenMs: number;
  /** What does not pay for its own transaction waits this long for others to share it with. */
  readonly batchWaitMs: number;
  /** A receipt that no node has this long after its transaction was signed is not waited for. */
  readonly receiptMs: number;
  /** Closing waits this long for what is under way. */
  readonly closeMs: number;
}

export const DEFAULT_PATIENCE: LanePatience = {
  giveUpMs: 25_000,
  stuckMs: 2_000,
  untakenMs: 5_000,
  batchWaitMs: 3_000,
  receiptMs: 8_000,
  closeMs: 5_000,
};
