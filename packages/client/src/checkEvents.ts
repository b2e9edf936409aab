import { holdsAt, listUnconfirmedEvents } from "@assay/capabilities";
import type { Assertion, Hex } from "@assay/protocol";
import { listEventBlocks, listUpgradeEvents } from "./chain/listUpgradeEvents.js";
import type { BlockObservation } from "./chain/observeAt.js";
import type { ChainNode } from "./chain/openChainNode.js";

/** What the events of a window, and the state at the blocks they point to, show about a claim. */
export interface EventCheck {
  /** Null when it could not be decided. */
  readonly ok: boolean | null;
  readonly detail: string;
}

type Window = Extract<Assertion, { type: "upgrade_window" }>;

/**
 * Reads the state wherever a log reports an upgrade, as obligation.verdict does. A contract can emit any event, so an event
 * only says where to read.
 */
export async function checkEvents(
  node: ChainNode,
  assertion: Window,
  observe: (block: number) => Promise<BlockObservation>,
): Promise<EventCheck> {
  const windowBlocks = assertion.toBlock - assertion.fromBlock + 1;
  // Both ends were read already, so events cannot point to any other block.
  if (windowBlocks <= 2) return { ok: true, detail: `All blocks of the window were read: ${windowBlocks}.` };
  const events = await listUpgradeEvents(node, assertion.address as Hex, assertion);
  if (!events)
    return { ok: null, detail: "The node gave no logs of the window, so upgrades were not searched for." };
  const { blocks, leftOut } = listEventBlocks(events, assertion);
  const unread: number[] = [];
  const held = new Set<number>();
  for (const block of blocks) {
    const seen = await observe(block);
    if (seen.status !== "observed") unread.push(block);
    else if (holdsAt(assertion, seen.observed)) held.add(block);
    else return { ok: false, detail: `An event led to block ${block}, where the claim is false.` };
  }
  if (leftOut > 0) return { ok: null, detail: `Events point to ${leftOut} more blocks than are read.` };
  if (unread.length > 0)
    return { ok: null, detail: `Events point to blocks that could not be read: ${unread.join(", ")}.` };
  const [unconfirmed] = listUnconfirmedEvents(assertion.implementation, events, (block) => held.has(block));
  if (unconfirmed)
    return {
      ok: null,
      detail: `An event at block ${unconfirmed.block} names ${unconfirmed.names}, which the state there does not confirm.`,
    };
  return {
    ok: true,
    detail: `${events.length} upgrade events in ${windowBlocks} blocks; the claim holds at the ${blocks.length} blocks they point to.`,
  };
}
