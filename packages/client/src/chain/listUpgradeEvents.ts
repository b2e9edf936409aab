import {
  addressInWord,
  isZeroWord,
  knownSlots,
  readUpgradeEvent,
  type UpgradeEvent,
  upgradeTopics,
} from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import type { ChainNode } from "./openChainNode.js";

/** A contract may emit any number of events, so the state is read at no more than this many of their blocks. */
export const MAX_EVENT_BLOCKS = 256;

/** Nodes limit how many blocks one eth_getLogs may span; most allow this many. */
const MAX_RANGE_BLOCKS = 10_000;
const MIN_RANGE_BLOCKS = 100;

export interface BlockWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * The upgrade events of an address, and of the beacons it has used, in a window, in the order of the chain; undefined when
 * the node gives no logs.
 */
export async function listUpgradeEvents(
  node: ChainNode,
  address: Hex,
  window: BlockWindow,
): Promise<UpgradeEvent[] | undefined> {
  const own = await listEvents(node, [address], window);
  if (!own) return undefined;
  const named = own.flatMap(({ event, names }) => (event === "BeaconUpgraded" && names ? [names] : []));
  const beacons = new Set([...named, ...(await listBeacons(node, address, window))]);
  beacons.delete(address.toLowerCase() as Hex);
  const theirs = beacons.size > 0 ? await listEvents(node, [...beacons], window) : [];
  return theirs && [...own, ...theirs].sort((a, b) => a.block - b.block);
}

/** The block of each event and the block before it, where they are in the window. */
export function listEventBlocks(
  events: readonly UpgradeEvent[],
  { fromBlock, toBlock }: BlockWindow,
): { readonly blocks: number[]; readonly leftOut: number } {
  const eventBlocks = [...new Set(events.map(({ block }) => block))];
  const blocks = eventBlocks.slice(0, MAX_EVENT_BLOCKS).flatMap((block) => [block, block - 1]);
  return {
    blocks: [...new Set(blocks)].filter((block) => block >= fromBlock && block <= toBlock),
    leftOut: Math.max(0, eventBlocks.length - MAX_EVENT_BLOCKS),
  };
}

/** The beacons that an address used at the ends of the window. */
async function listBeacons(
  node: ChainNode,
  address: Hex,
  { fromBlock, toBlock }: BlockWindow,
): Promise<Hex[]> {
  const slot = { kind: "storage", address, slot: knownSlots.eip1967Beacon } as const;
  const words = await Promise.all([fromBlock, toBlock].map((block) => node.readAt(block, [slot])));
  return words
    .flat()
    .flatMap((word) =>
      word.status === "value" && !isZeroWord(word.value) ? [addressInWord(word.value)] : [],
    );
}

async function listEvents(
  node: ChainNode,
  addresses: readonly Hex[],
  { fromBlock, toBlock }: BlockWindow,
): Promise<UpgradeEvent[] | undefined> {
  const topics = Object.values(upgradeTopics);
  const found: UpgradeEvent[] = [];
  let span = MAX_RANGE_BLOCKS;
  for (let start = fromBlock; start <= toBlock; ) {
    const end = Math.min(toBlock, start + span - 1);
    const logs = await node.findLogs({ addresses, topics, fromBlock: start, toBlock: end });
    if (logs) {
      found.push(...logs.flatMap((log) => readUpgradeEvent(log) ?? []));
      start = end + 1;
    } else {
      span = Math.floor(span / 2);
      if (span < MIN_RANGE_BLOCKS) return undefined;
    }
  }
  return found;
}
