import { holdsAt, type ObservedSubjectState } from "@assay/capabilities";
import type { Assertion, ChallengeEvidence } from "@assay/protocol";
import { getAddress } from "viem";
import type { ChainSource } from "./chain/askNode.js";
import { type BlockWindow, listEventBlocks, listUpgradeEvents } from "./chain/listUpgradeEvents.js";
import { type BlockObservation, observeAt } from "./chain/observeAt.js";
import { openChainNode } from "./chain/openChainNode.js";
import { DEFAULT_SAMPLES } from "./defaultSamples.js";

export interface ScanOptions {
  readonly samples?: number | undefined;
  /** Called with a sentence about each step. */
  readonly onProgress?: ((what: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Scan {
  /** Evidence to challenge the claim with; null when none was found. */
  readonly counterexample: ChallengeEvidence | null;
  /** Blocks at which the state was read. */
  readonly blocksRead: number;
  readonly windowBlocks: number;
  /** True when every block of the claim was read: only then does a missing counterexample prove the claim. */
  readonly isComplete: boolean;
  /** What was not read, and why. */
  readonly limitations: readonly string[];
}

/**
 * Searches for a block at which an assertion is false: first the ends of the window, then where logs report an upgrade, then
 * blocks spread evenly. From a false block it searches by halves towards the nearest true one, to the block of the change.
 */
export async function scanClaim(
  assertion: Assertion,
  source: ChainSource,
  { samples = DEFAULT_SAMPLES, onProgress = () => {}, signal }: ScanOptions = {},
): Promise<Scan> {
  const node = await openChainNode(source);
  const observations = new Map<number, BlockObservation>();
  const limitations: string[] = [];
  // A claim about code is about the last block only.
  const window: BlockWindow =
    assertion.type === "bytecode" ? { fromBlock: assertion.toBlock, toBlock: assertion.toBlock } : assertion;
  const windowBlocks = window.toBlock - window.fromBlock + 1;

  async function observe(block: number): Promise<BlockObservation> {
    const known = observations.get(block);
    if (known) return known;
    signal?.throwIfAborted();
    const observation = await observeAt(node, assertion, block);
    observations.set(block, observation);
    onProgress(`block ${block} read, ${observations.size} of ${windowBlocks}`);
    return observation;
  }
  const listRead = () =>
    [...observations].flatMap(([block, { status }]) => (status === "observed" ? [block] : []));

  async function findFalse(blocks: Iterable<number>): Promise<ChallengeEvidence | null> {
    for (const block of blocks) {
      if (checkObservation(assertion, await observe(block)) === "false")
        return narrow(assertion, observe, listRead(), block);
    }
    return null;
  }

  async function listCandidates(): Promise<number[]> {
    if (windowBlocks <= 2) return [];
    onProgress("reading the logs of upgrades");
    const events = await listUpgradeEvents(node, assertion.address, window);
    if (!events) limitations.push("The node gave no logs, so upgrades were not searched for.");
    const { blocks, leftOut } = listEventBlocks(events ?? [], window);
    if (leftOut > 0) limitations.push(`Upgrade events point to ${leftOut} more blocks than were read.`);
    return blocks;
  }

  const counterexample =
    (await findFalse([window.toBlock, window.fromBlock])) ??
    (await findFalse(await listCandidates())) ??
    (await findFalse(spread(window, samples)));
  const unread = observations.size - listRead().length;
  if (unread > 0) limitations.push(`${unread} blocks could not be read.`);
  const blocksRead = listRead().length;
  return { counterexample, blocksRead, windowBlocks, isComplete: blocksRead === windowBlocks, limitations };
}

type Check = "true" | "false" | "unknown";

function checkObservation(assertion: Assertion, observation: BlockObservation): Check {
  if (observation.status !== "observed") return "unknown";
  return holdsAt(assertion, observation.observed) ? "true" : "false";
}

/** The first false block after the nearest true one before `found`; `found` itself where there is none. */
async function narrow(
  assertion: Assertion,
  observe: (block: number) => Promise<BlockObservation>,
  read: readonly number[],
  found: number,
): Promise<ChallengeEvidence> {
  let high = found;
  let low = Math.max(Number.NEGATIVE_INFINITY, ...read.filter((block) => block < found));
  while (high - low > 1 && Number.isFinite(low)) {
    const middle = Math.floor((low + high) / 2);
    const check = checkObservation(assertion, await observe(middle));
    if (check === "unknown") break;
    if (check === "false") high = middle;
    else low = middle;
  }
  return toEvidence(high, await observe(high));
}

function toEvidence(block: number, observation: BlockObservation): ChallengeEvidence {
  if (observation.status !== "observed") throw new Error(`block ${block} was not read`);
  return evidenceOf(block, observation.observed);
}

/** A node's reading in the form of a challenge. */
export function evidenceOf(block: number, observed: ObservedSubjectState): ChallengeEvidence {
  if (!("implementation" in observed)) return observed;
  const { implementation } = observed;
  return { block, implementation: implementation === null ? null : getAddress(implementation) };
}

/** At most `count` blocks of a window, at ever smaller distances: stopping early leaves gaps of similar size. */
function* spread({ fromBlock, toBlock }: BlockWindow, count: number): Generator<number> {
  let gaps: [number, number][] = [[fromBlock, toBlock]];
  for (let given = 0; gaps.length > 0; ) {
    const halves: [number, number][] = [];
    for (const [low, high] of gaps) {
      if (high - low < 2) continue;
      if (given++ === count) return;
      const middle = Math.floor((low + high) / 2);
      yield middle;
      halves.push([low, middle], [middle, high]);
    }
    gaps = halves;
  }
}
