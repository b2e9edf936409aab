import { holdsAt, type ObservedSubjectState } from "@assay/capabilities";
import type { Assertion, ChallengeEvidence } from "@assay/protocol";
import { getAddress } from "viem";
import type { ChainSource } from "./chain/askNode.js";
import { type BlockWindow, listEventBlocks, listUpgradeEvents } from "./chain/listUpgradeEvents.js";
import { type BlockLook, observeAt } from "./chain/observeAt.js";
import { openChainNode } from "./chain/openChainNode.js";
import { DEFAULT_SAMPLES } from "./defaultSamples.js";

export interface ScanOptions {
  readonly samples?: number | undefined;
  /** Told in words what is being done. */
  readonly onProgress?: ((what: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Scan {
  /** Evidence to challenge the claim with; null when none was found. */
  readonly counterexample: ChallengeEvidence | null;
  /** Blocks at which the chain said what it has. */
  readonly blocksRead: number;
  readonly windowBlocks: number;
  /** True when every block that the claim is about was read: only then does finding nothing prove anything. */
  readonly isComplete: boolean;
  /** What was not looked at, and why. */
  readonly limitations: readonly string[];
}

/**
 * Looks for a block at which an assertion is false: its ends, then where logs tell of an upgrade, then blocks spread
 * evenly. From one that is false it halves the way to the nearest that is true, down to the very block of the change.
 */
export async function scanClaim(
  assertion: Assertion,
  source: ChainSource,
  { samples = DEFAULT_SAMPLES, onProgress = () => {}, signal }: ScanOptions = {},
): Promise<Scan> {
  const node = await openChainNode(source);
  const looks = new Map<number, BlockLook>();
  const limitations: string[] = [];
  // Code is claimed of the last block alone.
  const window: BlockWindow =
    assertion.type === "bytecode" ? { fromBlock: assertion.toBlock, toBlock: assertion.toBlock } : assertion;
  const windowBlocks = window.toBlock - window.fromBlock + 1;

  async function lookAt(block: number): Promise<BlockLook> {
    const known = looks.get(block);
    if (known) return known;
    signal?.throwIfAborted();
    const look = await observeAt(node, assertion, block);
    looks.set(block, look);
    onProgress(`block ${block} read, ${looks.size} of ${windowBlocks}`);
    return look;
  }
  const listRead = () => [...looks].flatMap(([block, { status }]) => (status === "observed" ? [block] : []));

  async function findFalse(blocks: Iterable<number>): Promise<ChallengeEvidence | null> {
    for (const block of blocks) {
      if (checkLook(assertion, await lookAt(block)) === "false")
        return narrow(assertion, lookAt, listRead(), block);
    }
    return null;
  }

  async function listCandidates(): Promise<number[]> {
    if (windowBlocks <= 2) return [];
    onProgress("reading the logs of upgrades");
    const events = await listUpgradeEvents(node, assertion.address, window);
    if (!events) limitations.push("The node gave no logs, so upgrades were not looked up.");
    const { blocks, leftOut } = listEventBlocks(events ?? [], window);
    if (leftOut > 0) limitations.push(`Upgrades are told of ${leftOut} more blocks than were looked into.`);
    return blocks;
  }

  const counterexample =
    (await findFalse([window.toBlock, window.fromBlock])) ??
    (await findFalse(await listCandidates())) ??
    (await findFalse(spread(window, samples)));
  const unread = looks.size - listRead().length;
  if (unread > 0) limitations.push(`${unread} blocks were asked for and could not be read.`);
  const blocksRead = listRead().length;
  return { counterexample, blocksRead, windowBlocks, isComplete: blocksRead === windowBlocks, limitations };
}

type Check = "true" | "false" | "unknown";

function checkLook(assertion: Assertion, look: BlockLook): Check {
  if (look.status !== "observed") return "unknown";
  return holdsAt(assertion, look.observed) ? "true" : "false";
}

/** The first false block after the nearest true one before `found`; `found` itself where there is none. */
async function narrow(
  assertion: Assertion,
  lookAt: (block: number) => Promise<BlockLook>,
  read: readonly number[],
  found: number,
): Promise<ChallengeEvidence> {
  let high = found;
  let low = Math.max(Number.NEGATIVE_INFINITY, ...read.filter((block) => block < found));
  while (high - low > 1 && Number.isFinite(low)) {
    const middle = Math.floor((low + high) / 2);
    const check = checkLook(assertion, await lookAt(middle));
    if (check === "unknown") break;
    if (check === "false") high = middle;
    else low = middle;
  }
  return toEvidence(high, await lookAt(high));
}

function toEvidence(block: number, look: BlockLook): ChallengeEvidence {
  if (look.status !== "observed") throw new Error(`block ${block} was not read`);
  return evidenceOf(block, look.observed);
}

/** What a node showed, as it is held against a claim. */
export function evidenceOf(block: number, observed: ObservedSubjectState): ChallengeEvidence {
  if (!("implementation" in observed)) return observed;
  const { implementation } = observed;
  return { block, implementation: implementation === null ? null : getAddress(implementation) };
}

/** At most `count` blocks of a window, ever finer, so that stopping early leaves no great gap. */
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
