import { type Reading, unanswered } from "@assay/protocol";
import type { BlockHeader, Chain, ChainRead } from "./types.js";

/** A chain whose nodes are not asked to run anything for long. */
export interface LightChain extends Chain {
  /** Whether a transaction ran out of the little gas that it got. */
  isTooHeavy(): boolean;
}

/** Nodes run this much in a few hundredths of a second, and most transactions need less. */
export const LIGHT_GAS = 1_000_000;
const TOO_HEAVY = unanswered("too_heavy");

/**
 * The same chain, for questions that the nodes did not answer in time. Runs whose gas cannot be bounded are left out, and calls of
 * contracts get little. A node that answers all the rest at once was not slow: the code that it was to run is.
 */
export function lightenReads(chain: Chain): LightChain {
  let isHeavy = false;

  async function readAt(block: BlockHeader, reads: readonly ChainRead[]): Promise<Reading<unknown>[]> {
    const asked = reads.filter((read) => !isUnbounded(read));
    const answers = asked.length === 0 ? [] : await chain.readAt(block, asked.map(lighten));
    const left = [...(answers as readonly Reading<unknown>[])];
    return reads.map((read) => {
      if (isUnbounded(read)) return TOO_HEAVY;
      const answer = left.shift() ?? TOO_HEAVY;
      if (!isHeld(read) || answer.status !== "reverted" || (answer.data ?? "0x") !== "0x") return answer;
      isHeavy = true;
      return TOO_HEAVY;
    });
  }

  // The mapped type follows the order of the reads, which TypeScript cannot see through the wrapper.
  return { ...chain, readAt: readAt as Chain["readAt"], isTooHeavy: () => isHeavy };
}

const isUnbounded = ({ kind }: ChainRead): boolean =>
  kind === "gasEstimate" || kind === "trace" || kind === "storageChanges";

/** A transaction, or a run around one: other calls have bounds of their own. */
const isHeld = (read: ChainRead): boolean =>
  read.kind === "call" && read.to !== null && (read.gas ?? 0) > LIGHT_GAS;

const lighten = (read: ChainRead): ChainRead =>
  isHeld(read) && read.kind === "call" ? { ...read, gas: LIGHT_GAS } : read;
