import { AssayError } from "@assay/protocol";
import { askHeaders, type SeenHeader } from "./askHeaders.js";
import { createHeadRecord } from "./headRecord.js";
import type { RpcPool } from "./rpcPool.js";
import type { BlockHeader, ChainLogger, Head } from "./types.js";

/** Keeps the newest header known, so that nobody has to wait for it. */
export interface HeadFollower {
  /** Reads the first head and a first block time, then polls until closed. Throws `chain_unavailable`. */
  start(): Promise<void>;
  latestBlock(): Promise<BlockHeader>;
  findHead(): Head | undefined;
  getFreshHead(): Head;
  blockTimeMs(): number;
  close(): Promise<void>;
}

const MIN_POLL_MS = 200;
const MAX_POLL_MS = 1_000;
// Far enough back that one-second timestamps give a usable slope at 200 ms blocks; the nearer
// one serves nodes and chains that do not reach further.
const SEED_DISTANCES = [256, 32];
// With another node to ask, a head that stands still this long is worth a second opinion.
const STUCK_BLOCKS = 10;
const STUCK_MIN_MS = 3_000;

export function createHeadFollower(options: {
  pool: RpcPool;
  now: () => number;
  staleHeadMs: number;
  logger?: ChainLogger | undefined;
}): HeadFollower {
  const { pool, now, staleHeadMs, logger } = options;
  const record = createHeadRecord({ now, logger });
  let forming: Promise<SeenHeader> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let closed = false;

  /** Shared only until it is sent: an answer on its way may be older than a block its next caller has seen. */
  function readLatest(): Promise<SeenHeader> {
    if (forming === undefined) {
      forming = askLatest(pool);
      setImmediate(() => {
        forming = undefined;
      });
    }
    return forming;
  }

  /** Looks past the preferred node and moves to the one that is furthest ahead. */
  async function survey(): Promise<BlockHeader | undefined> {
    const all = await pool.askEach("latest", askHeaders);
    const best = all.toSorted((a, b) => b.header.number - a.header.number)[0];
    if (best !== undefined && record.offer(best.header)) pool.prefer(best.from);
    return best?.header;
  }

  async function poll(): Promise<void> {
    try {
      record.weigh(await readLatest());
      const stuckMs = Math.max(STUCK_BLOCKS * record.blockTimeMs(), STUCK_MIN_MS);
      const seenAtMs = record.find()?.seenAtMs ?? 0;
      if (pool.size > 1 && now() - seenAtMs > stuckMs) await survey();
    } catch (error) {
      // An outage shows as a head that ages; the breaker has logged the node already.
      if (!(error instanceof AssayError)) logger?.warn({ err: error }, "following the head failed");
    }
    schedule();
  }

  function schedule(): void {
    if (closed) return;
    const delay = Math.min(Math.max(record.blockTimeMs() / 2, MIN_POLL_MS), MAX_POLL_MS);
    timer = setTimeout(() => {
      polling = poll();
    }, delay);
    timer.unref();
  }

  return {
    async start() {
      const { header } = await readLatest();
      for (const older of await readOlder(pool, header.number)) record.learnPace(older);
      record.offer(header);
      schedule();
    },
    async latestBlock() {
      const { header } = await readLatest();
      record.offer(header);
      // The node's own answer stands even below the followed head: that node can be read at that
      // block. Only a second node may offer better.
      const isBehind = header.number < (record.find()?.header.number ?? 0);
      if (pool.size === 1 || !isBehind) return header;
      const best = await survey();
      return best !== undefined && best.number > header.number ? best : header;
    },
    findHead: record.find,
    getFreshHead: () => getFresh(record.find(), now(), staleHeadMs),
    blockTimeMs: record.blockTimeMs,
    async close() {
      closed = true;
      clearTimeout(timer);
      await polling;
    },
  };
}

async function askLatest(pool: RpcPool): Promise<SeenHeader> {
  const [attempt] = await pool.resolve(["latest"], askHeaders);
  if (attempt?.ok) return attempt.value;
  throw new AssayError("chain_unavailable", `No node named its newest block: ${attempt?.reason}.`);
}

function getFresh(head: Head | undefined, nowMs: number, staleHeadMs: number): Head {
  if (head === undefined) throw new AssayError("chain_head_stale", "No block has been seen yet.");
  // A stuck node repeats one header, a chain clock that runs ahead hides its age: both must be young.
  const ageMs = nowMs - Math.min(head.seenAtMs, head.header.timestamp * 1_000);
  if (ageMs <= staleHeadMs) return head;
  throw new AssayError(
    "chain_head_stale",
    `The newest block known, ${head.header.number}, is ${Math.round(ageMs / 1_000)} s old.`,
  );
}

/** Older headers, oldest first; fewer or none where the chain is young or the node does not tell. */
async function readOlder(pool: RpcPool, headNumber: number): Promise<BlockHeader[]> {
  // Not the genesis block: its timestamp is often far from that of block 1.
  const numbers = SEED_DISTANCES.map((distance) => headNumber - distance).filter((number) => number > 0);
  if (numbers.length === 0 && headNumber > 1) numbers.push(1);
  const tags = numbers.map((number) => `0x${number.toString(16)}`);
  const attempts = await pool.resolve(tags, askHeaders);
  return attempts.flatMap((attempt) => (attempt.ok ? [attempt.value.header] : []));
}
