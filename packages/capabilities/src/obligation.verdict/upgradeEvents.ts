import type { Assertion, Hex } from "@assay/protocol";
import { toEventSelector } from "viem";

/** Events that report a change of code or of who may change it. Each names one address that matters. */
export const upgradeEvents = ["Upgraded", "BeaconUpgraded", "AdminChanged", "ChangedMasterCopy"] as const;
type UpgradeEventName = (typeof upgradeEvents)[number];

/** First topics, by event: those of ERC-1967 proxies and beacons, and that of a Safe. */
export const upgradeTopics: Readonly<Record<UpgradeEventName, Hex>> = {
  Upgraded: toEventSelector("Upgraded(address)"),
  BeaconUpgraded: toEventSelector("BeaconUpgraded(address)"),
  AdminChanged: toEventSelector("AdminChanged(address,address)"),
  ChangedMasterCopy: toEventSelector("ChangedMasterCopy(address)"),
};

export interface UpgradeEvent {
  readonly block: number;
  readonly emitter: Hex;
  readonly event: UpgradeEventName;
  /** The new implementation, beacon or admin, in lower case; null where the log names no address. */
  readonly names: Hex | null;
}

/** Reads a log as one of the events; undefined when it is none. Older proxies leave the address out of the topics. */
export function readUpgradeEvent(log: {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
}): UpgradeEvent | undefined {
  const event = upgradeEvents.find((name) => upgradeTopics[name] === log.topics[0]?.toLowerCase());
  if (event === undefined) return undefined;
  // The last argument is the new one, whether it is a topic or a word of the data.
  const word = [...log.topics.slice(1), ...(log.data.slice(2).match(/.{64}/g) ?? [])].at(-1);
  const names: Hex | null = word ? `0x${word.slice(-40).toLowerCase()}` : null;
  return { block: log.blockNumber, emitter: log.address.toLowerCase() as Hex, event, names };
}

/**
 * Blocks inside the window, other than its ends, at which the claim may be false according to events: the block of each
 * event and the one before it. A contract may emit a false event, so the state at these blocks decides.
 */
export function listSuspectBlocks(assertion: Assertion, events: readonly UpgradeEvent[]): number[] {
  if (assertion.type !== "upgrade_window") return [];
  const { fromBlock, toBlock } = assertion;
  const blocks = events.flatMap(({ block }) => [block - 1, block]);
  return [...new Set(blocks)].filter((block) => block > fromBlock && block < toBlock).sort((a, b) => a - b);
}

/** Events, in their order on the chain, that name other code than the claim although the claim holds at their block. */
export function listUnconfirmedEvents(
  implementation: string | null,
  events: readonly UpgradeEvent[],
  isKnownToHold: (block: number) => boolean,
): UpgradeEvent[] {
  const claimed = implementation?.toLowerCase() ?? null;
  // A claim is about the end of each block, so only the last event of a block can contradict it.
  const last = new Map(
    events
      .filter(({ event }) => event === "Upgraded" || event === "ChangedMasterCopy")
      .map((event) => [`${event.block} ${event.emitter}`, event]),
  );
  return [...last.values()].filter(({ names, block }) => names !== claimed && isKnownToHold(block));
}
