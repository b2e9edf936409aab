import type { Hex } from "@assay/protocol";
import type { SeenHeader } from "./askHeaders.js";
import { createBlockTimeMeter } from "./blockTimeMeter.js";
import type { BlockHeader, ChainLogger, Head } from "./types.js";

/** Which header counts as the newest, decided from what nodes say. No I/O. */
export interface HeadRecord {
  find(): Head | undefined;
  /** Takes a header only if it is higher than the head; true when taken. */
  offer(header: BlockHeader): boolean;
  /** Takes a poll's answer: also lower ones, once enough polls in a row agree. */
  weigh(seen: SeenHeader): void;
  /** Counts an older header towards the block time. */
  learnPace(header: BlockHeader): void;
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
  let doubt: { from: string; polls: number; forked: boolean } | undefined;

  function take(header: BlockHeader): void {
    head = { header, seenAtMs: now() };
    doubt = undefined;
    meter.add(header);
    seenHashes.set(header.number, header.hash);
    const oldest = seenHashes.keys().next();
    if (seenHashes.size > REMEMBERED_HEADERS && !oldest.done) seenHashes.delete(oldest.value);
  }

  function offer(header: BlockHeader): boolean {
    if (head !== undefined && header.number <= head.header.number) return false;
    take(header);
    return true;
  }

  function stepBack(from: BlockHeader, { header, from: endpoint }: SeenHeader): void {
    logger?.warn({ fromBlock: from.number, toBlock: header.number, endpoint }, "the chain's head moved back");
    meter.rewind(header.number);
    for (const number of seenHashes.keys()) if (number >= header.number) seenHashes.delete(number);
    take(header);
  }

  return {
    find: () => head,
    offer,
    // Only polls may lower the head: they are spaced in time, so consecutive ones are evidence.
    weigh(seen) {
      const { header, from } = seen;
      if (offer(header) || head === undefined) return;
      if (header.hash === head.header.hash) {
        doubt = undefined;
        return;
      }
      const known = seenHashes.get(header.number);
      const before = doubt?.from === from ? doubt : { polls: 0, forked: false };
      const forked = before.forked || (known !== undefined && known !== header.hash);
      doubt = { from, polls: before.polls + 1, forked };
      const enough = forked ? POLLS_TO_BELIEVE_FORK : POLLS_TO_BELIEVE_LOWER;
      if (doubt.polls >= enough) stepBack(head.header, seen);
    },
    learnPace: (header) => meter.add(header),
    blockTimeMs: () => meter.ms(),
  };
}
