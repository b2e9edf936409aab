import { setTimeout as sleep } from "node:timers/promises";
import { AssayError } from "@assay/protocol";
import { askHeaders, type SeenHeader } from "./askHeaders.js";
import type { ChainTiming } from "./chainTiming.js";
import { createHeadRecord } from "./headRecord.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import type { RpcPool } from "./rpcPool.js";
import type { BlockHeader, ChainLogger, Head } from "./types.js";

/** Follows the newest header in the background, so that no caller waits for it. */
export interface HeadFollower {
  /** Reads the first head and estimates the block time, then polls until closed. Throws `chain_unavailable`. */
  start(): Promise<void>;
  latestBlock(): Promise<BlockHeader>;
  findHead(): Head | undefined;
  getFreshHead(): Head;
  blockTimeMs(): number;
  close(): Promise<void>;
}

// Blocks before the head from which the first block time is estimated: far enough that one-second
// timestamps give a usable slope at 200 ms blocks, and a nearer one for young chains and pruned nodes.
const SEED_DISTANCES = [256, 32];
// Where there are several nodes, all are asked when the head has not moved for this long.
const STUCK_BLOCKS = 10;
const STUCK_MIN_MS = 3_000;
/** A backend that is further behind than this is asked again, because behind one address there may be another. */
const FAR_BEHIND_MS = 2_000;
/** A node that has sent no head by itself for so many blocks and this long is polled as others are. */
const SILENT_BLOCKS = 3;
const SILENT_MS = 2_000;
/** Before a silent node is asked once more to send its heads. */
const SUBSCRIBE_AGAIN_MS = 60_000;
/** How far the time of a block may be from ours if nothing proves it. */
const MAX_CLOCK_ERROR_MS = 60_000;

export function createHeadFollower(options: {
  pool: RpcPool;
  now: () => number;
  staleHeadMs: number;
  timing: ChainTiming;
  /** Learns the whole header of a block that readings will be made at; true where it hashes to the block's hash. */
  onLatest?: ((seen: SeenHeader) => boolean) | undefined;
  logger?: ChainLogger | undefined;
}): HeadFollower {
  const { pool, now, staleHeadMs, timing, onLatest, logger } = options;
  const record = createHeadRecord({ now, logger });
  let unsent: Promise<SeenHeader> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let closed = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let delayMs = 0;
  let isPolling = false;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let subscribedAtMs = Number.NEGATIVE_INFINITY;
  let silence: NodeJS.Timeout | undefined;
  /** The head that every backend was asked for and none showed again, as after a reorganisation. */
  let missedHead: number | undefined;

  /** Callers share a request only until it is sent: a later caller may already have seen a newer block than its answer. */
  function readLatest(): Promise<SeenHeader> {
    if (unsent === undefined) {
      unsent = askLatest(pool);
      setImmediate(() => {
        unsent = undefined;
      });
    }
    return unsent;
  }

  /** Asks every node for its newest block and prefers the one that is furthest ahead. */
  async function preferFurthestNode(): Promise<SeenHeader | undefined> {
    const all = await pool.askEach("latest", askHeaders);
    const best = all.toSorted((a, b) => b.header.number - a.header.number)[0];
    if (best !== undefined && record.advance(best.header)) pool.prefer(best.from);
    return best;
  }

  async function poll(): Promise<void> {
    isPolling = true;
    try {
      record.addPoll(await readLatest());
      const stuckMs = Math.max(STUCK_BLOCKS * record.blockTimeMs(), STUCK_MIN_MS);
      const seenAtMs = record.findHead()?.seenAtMs ?? 0;
      if (pool.size > 1 && now() - seenAtMs > stuckMs) await preferFurthestNode();
    } catch (error) {
      // The age of the head shows an outage, and the circuit breaker has logged the node already.
      if (!(error instanceof AssayError)) logger?.warn({ err: error }, "following the head failed");
    }
    isPolling = false;
    if (pool.sendsHeads() && !hearsHeads() && performance.now() - subscribedAtMs > SUBSCRIBE_AGAIN_MS)
      subscribe();
    schedule();
  }

  const activeMs = () => Math.min(Math.max(record.blockTimeMs() / 2, timing.minPollMs), timing.maxPollMs);

  function schedule(): void {
    if (closed) return;
    // Who asks learns the newest block by that. The longer ago that was, the less often it is polled for.
    const quiet = Math.min(performance.now() - askedAtMs, timing.idlePollMs);
    delayMs = Math.max(activeMs(), hearsHeads() ? timing.sentHeadsPollMs : quiet);
    timer = setTimeout(() => {
      polling = poll();
    }, delayMs);
    timer.unref();
  }

  /** Somebody wants an answer now: the head is followed closely until nobody does. */
  function noteQuestion(): void {
    askedAtMs = performance.now();
    if (delayMs > activeMs() && !hearsHeads()) putOffPoll();
  }

  function putOffPoll(): void {
    // A poll that is under way schedules the next one itself.
    if (isPolling) return;
    clearTimeout(timer);
    schedule();
  }

  const silentMs = () => Math.max(SILENT_MS, SILENT_BLOCKS * record.blockTimeMs());
  /** A connection that stays open may still have stopped sending. */
  const hearsHeads = () => pool.sendsHeads() && performance.now() - heardAtMs < silentMs();

  /** What a node sends by itself counts like a poll. */
  function hear(raw: unknown): void {
    const header = parseBlockHeader(raw);
    if (header === undefined || closed) return;
    record.advance(header);
    awaitHead();
  }

  function awaitHead(): void {
    heardAtMs = performance.now();
    clearTimeout(silence);
    silence = setTimeout(putOffPoll, silentMs() + 1);
    silence.unref();
  }

  function subscribe(): void {
    subscribedAtMs = performance.now();
    pool.followHeads(hear);
  }

  /** The newest block, of another backend where the first one is far behind. */
  async function readNearHead(): Promise<SeenHeader> {
    let seen = await readLatest();
    const known = () => record.findHead()?.header.number ?? 0;
    const isFarBehind = () => (known() - seen.header.number) * record.blockTimeMs() > FAR_BEHIND_MS;
    if (known() === missedHead) return seen;
    for (const delay of [...timing.roundDelaysMs, ...timing.blockDelaysMs]) {
      if (!isFarBehind() || closed) return seen;
      await sleep(delay);
      const again = await readLatest();
      if (again.header.number > seen.header.number) seen = again;
    }
    if (isFarBehind()) missedHead = known();
    return seen;
  }

  /** What is judged by time must not depend on a time that only this answer states. */
  function learn(seen: SeenHeader): void {
    if (onLatest === undefined || onLatest(seen)) return;
    const errorMs = Math.abs(seen.header.timestamp * 1_000 - now());
    if (errorMs <= MAX_CLOCK_ERROR_MS) return;
    throw new AssayError(
      "chain_unavailable",
      `The newest block does not hash to its hash, and its time is ${Math.round(errorMs / 1_000)} s from ours.`,
    );
  }

  return {
    async start() {
      subscribe();
      if (pool.sendsHeads()) awaitHead();
      const { header } = await readLatest();
      for (const older of await readOlder(pool, header.number)) record.addOlder(older);
      record.advance(header);
      schedule();
    },
    async latestBlock() {
      noteQuestion();
      const latest = await readNearHead();
      const { header } = latest;
      // Who asks learns what the next poll would have found out. A head that stands still is polled all the same.
      if (record.advance(header)) putOffPoll();
      // An answer below the followed head is still valid: that node can be read at that block.
      // Only another node may have a higher one.
      const isBehind = header.number < (record.findHead()?.header.number ?? 0);
      const best = pool.size === 1 || !isBehind ? undefined : await preferFurthestNode();
      const chosen = best !== undefined && best.header.number > header.number ? best : latest;
      learn(chosen);
      return chosen.header;
    },
    findHead: record.findHead,
    getFreshHead: () => getFresh(record.findHead(), now(), staleHeadMs),
    blockTimeMs: record.blockTimeMs,
    async close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(silence);
      await polling;
    },
  };
}

async function askLatest(pool: RpcPool): Promise<SeenHeader> {
  const [attempt] = await pool.resolve(["latest"], askHeaders);
  if (attempt?.ok) return attempt.value;
  throw new AssayError("chain_unavailable", `No node returned its newest block: ${attempt?.reason}.`);
}

function getFresh(head: Head | undefined, nowMs: number, staleHeadMs: number): Head {
  if (head === undefined) throw new AssayError("chain_head_stale", "No block has been seen yet.");
  // Both times must be recent: a stuck node repeats one header, and a chain clock that runs ahead hides the age of it.
  const ageMs = nowMs - Math.min(head.seenAtMs, head.header.timestamp * 1_000);
  if (ageMs <= staleHeadMs) return head;
  throw new AssayError(
    "chain_head_stale",
    `The newest block known, ${head.header.number}, is ${Math.round(ageMs / 1_000)} s old.`,
  );
}

/** Older headers, oldest first; fewer or none where the chain is young or the node does not return them. */
async function readOlder(pool: RpcPool, headNumber: number): Promise<BlockHeader[]> {
  // Not the genesis block: its timestamp is often far from that of block 1.
  const numbers = SEED_DISTANCES.map((distance) => headNumber - distance).filter((number) => number > 0);
  if (numbers.length === 0 && headNumber > 1) numbers.push(1);
  const tags = numbers.map((number) => `0x${number.toString(16)}`);
  const attempts = await pool.resolve(tags, askHeaders);
  return attempts.flatMap((attempt) => (attempt.ok ? [attempt.value.header] : []));
}
