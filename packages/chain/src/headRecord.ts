import type { Hex } from "@assay/protocol";
import type { SeenHeader } from "./askHeaders.js";
import { createBlockTimeMeter } from "./blockTimeMeter.js";
import type { BlockHeader, ChainLogger, Head } from "./types.js";

/** Decides which header is the head, from the headers that nodes returned. No I/O. */
export interface HeadRecord {
  findHead(): Head | undefined;
  /** Makes a header the head if it is higher; true when it was. */
  advance(header: BlockHeader): boolean;
  /** Adds a poll's answer. A lower header becomes the head once enough polls in a row agree on it. */
  addPoll(seen: SeenHeader): void;
  /** Adds an older header, which counts towards the block time only. */
  addOlder(header: BlockHeader): void;
  blockTimeMs(): number;
}

// A header that contradicts one seen at the same height proves a reorganisation. One that is only
// lower may be a lagging backend, which catches up within a few polls of half a block each.
const POLLS_TO_BELIEVE_FORK = 2;
const POLLS_TO_BELIEVE_LOWER = 4;
const REMEMBERED_HEADERS = 128;

export function createHeadRecord(options: {
  now: () => number;
  logger?: ChainLogger | undefined;
}): HeadRecord {
  const { now, logger } = options;
  const meter = createBlockTimeMeter();
  const seenHashes = new Map<number, Hex>();
  let head: Head | undefined;
  /** Polls in a row from one node that contradict the head. */
  let contradiction: { from: string; polls: number; forked: boolean } | undefined;

  function setHead(header: BlockHeader): void {
    head = { header, seenAtMs: now() };
    contradiction = undefined;
    meter.add(header);
    seenHashes.set(header.number, header.hash);
    const oldest = seenHashes.keys().next();
    if (seenHashes.size > REMEMBERED_HEADERS && !oldest.done) seenHashes.delete(oldest.value);
  }

  function advance(header: BlockHeader): boolean {
    if (head !== undefined && header.number <= head.header.number) return false;
    setHead(header);
    return true;
  }

  function stepBack(from: BlockHeader, { header, from: endpoint }: SeenHeader): void {
    logger?.warn({ fromBlock: from.number, toBlock: header.number, endpoint }, "the chain's head moved back");
    meter.rewind(header.number);
    for (const number of seenHashes.keys()) if (number >= header.number) seenHashes.delete(number);
    setHead(header);
  }

  return {
    findHead: () => head,
    advance,
    // Only polls may lower the head: they are spaced in time, so several in a row are evidence.
    addPoll(seen) {
      const { header, from } = seen;
      if (advance(header) || head === undefined) return;
      if (header.hash === head.header.hash) {
        contradiction = undefined;
        return;
      }
      const known = seenHashes.get(header.number);
      const before = contradiction?.from === from ? contradiction : { polls: 0, forked: false };
      const forked = before.forked || (known !== undefined && known !== header.hash);
      contradiction = { from, polls: before.polls + 1, forked };
      const enough = forked ? POLLS_TO_BELIEVE_FORK : POLLS_TO_BELIEVE_LOWER;
      if (contradiction.polls >= enough) stepBack(head.header, seen);
    },
    addOlder: (header) => meter.add(header),
    blockTimeMs: () => meter.ms(),
  };
}
