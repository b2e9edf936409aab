import type { Hex } from "@assay/protocol";
import { addressInWord, isZeroWord, knownSlots } from "@assay/rules";
import { toEventSelector } from "viem";
import type { ChainLog, ChainNode } from "./openChainNode.js";

/** ERC-1967's events, which older proxies and beacons share, and that of a Safe. */
const UPGRADED = toEventSelector("Upgraded(address)");
const BEACON_UPGRADED = toEventSelector("BeaconUpgraded(address)");
const MASTER_COPY_CHANGED = toEventSelector("ChangedMasterCopy(address)");

/** Nodes bound how many blocks one question may span; most allow this many. */
const WIDEST_RANGE = 10_000;
const NARROWEST_RANGE = 100;

export interface BlockWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** The blocks in a window whose logs say that an address, or a beacon it has obeyed, was upgraded; undefined if no logs are to be had. */
export async function listUpgradeBlocks(
  node: ChainNode,
  address: Hex,
  window: BlockWindow,
): Promise<number[] | undefined> {
  const own = await listLogs(node, [address], window);
  if (!own) return undefined;
  const named = own.flatMap(({ topics: [event, beacon] }) =>
    event === BEACON_UPGRADED && beacon ? [addressInWord(beacon)] : [],
  );
  const beacons = new Set([...named, ...(await listBeacons(node, address, window))]);
  const theirs = beacons.size > 0 ? await listLogs(node, [...beacons], window) : [];
  if (!theirs) return undefined;
  const blocks = [...own, ...theirs].map(({ blockNumber }) => blockNumber);
  return [...new Set(blocks)].sort((a, b) => a - b);
}

/** The beacons an address obeyed at the ends of the window. */
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

async function listLogs(
  node: ChainNode,
  addresses: readonly Hex[],
  { fromBlock, toBlock }: BlockWindow,
): Promise<ChainLog[] | undefined> {
  const topics = [UPGRADED, BEACON_UPGRADED, MASTER_COPY_CHANGED];
  const found: ChainLog[] = [];
  let span = WIDEST_RANGE;
  for (let start = fromBlock; start <= toBlock; ) {
    const end = Math.min(toBlock, start + span - 1);
    const logs = await node.findLogs({ addresses, topics, fromBlock: start, toBlock: end });
    if (logs) {
      found.push(...logs);
      start = end + 1;
    } else {
      span = Math.floor(span / 2);
      if (span < NARROWEST_RANGE) return undefined;
    }
  }
  return found;
}
