import { AssayError, type Reading, unanswered } from "@assay/protocol";
import { PROOF_WINDOW } from "./askReadings.js";
import { isPassingError, isPassingReason } from "./passingReasons.js";
import { RpcError } from "./rpcError.js";
import type { BlockHeader, Caller, Chain, ChainRead, ProofRead } from "./types.js";

/** A chain as one caller reads it. */
export interface WatchedChain extends Chain {
  /** Why this caller lacks readings that the nodes may give a moment later; empty where it lacks none. */
  passingFailures(): readonly string[];
  /** Whether a transaction was to be run, and the nodes took too long. */
  lacksRun(): boolean;
  /** Every proof that this caller asked for, where one was missing because nodes prove newer blocks only; otherwise none. */
  missedProofs(): readonly ProofRead[];
}

const isLate = (reading: Reading<unknown> | undefined): boolean =>
  reading?.status === "unanswered" && reading.reason.split(", ").includes("timeout");

const NOT_ASKED = unanswered("not_asked");

/**
 * The same chain for one caller, whose calls hardly delay another's (`batchSharing.ts`). It remembers whether a reading failed for a reason that passes,
 * even where the reader goes on without it. What is read after that would be thrown away, so it is not asked for.
 */
export function watchReads(chain: Chain): WatchedChain {
  const caller: Caller = {};
  const reasons = new Set<string>();
  const proofs: ProofRead[] = [];
  let isTooOld = false;
  let isRunMissed = false;
  const note = (reading: Reading<unknown>): void => {
    if (reading.status === "unanswered" && isPassingReason(reading.reason)) reasons.add(reading.reason);
  };

  type Read = (block: BlockHeader, reads: never, caller: Caller) => Promise<readonly Reading<unknown>[]>;
  const watchRead =
    (read: Read) =>
    async (block: BlockHeader, reads: readonly ChainRead[]): Promise<readonly Reading<unknown>[]> => {
      if (reasons.size > 0) return reads.map(() => NOT_ASKED);
      const readings = await read(block, reads as never, caller);
      readings.forEach(note);
      for (const [i, one] of reads.entries()) {
        const reading = readings[i];
        if (one.kind === "gasEstimate") isRunMissed ||= isLate(reading);
        if (one.kind !== "proof") continue;
        proofs.push(one);
        isTooOld ||= reading?.status === "unanswered" && reading.reason.includes(PROOF_WINDOW);
      }
      return readings;
    };
  const watch =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        return await ask(...args);
      } catch (error) {
        if (error instanceof AssayError && error.code === "chain_unavailable") reasons.add(error.message);
        if (error instanceof RpcError && isPassingError(error)) reasons.add(error.message);
        throw error;
      }
    };

  return {
    ...chain,
    // The mapped types follow the order of the reads, which TypeScript cannot see through the wrapper.
    readAt: watchRead(chain.readAt as Read) as Chain["readAt"],
    readAgreed: watchRead(chain.readAgreed as Read) as Chain["readAgreed"],
    request: watch(chain.request) as Chain["request"],
    findBlock: watch(chain.findBlock),
    findAgreedBlock: watch(chain.findAgreedBlock),
    findFinalizedBlock: watch(chain.findFinalizedBlock),
    findMined: watch(chain.findMined),
    getAncestor: watch(chain.getAncestor),
    readExecution: watch(async (mined) => {
      const execution = await chain.readExecution(mined);
      [execution.header, execution.transaction.proof, execution.receipt.proof].forEach(note);
      return execution;
    }),
    async readFinality() {
      const finality = await chain.readFinality();
      Object.values(finality).forEach(note);
      return finality;
    },
    passingFailures: () => [...reasons],
    lacksRun: () => isRunMissed,
    missedProofs: () => (isTooOld ? proofs : []),
  };
}
