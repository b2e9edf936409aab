import type { BlockHeader } from "@assay/chain";
import { BASE_MULTICALL3, BATCH_SETTLEMENT, type Hex, keccak256 } from "@assay/protocol";
import { type ChannelContract, CLAIM } from "./channelContract.js";
import type { Scene } from "./faults.js";
import type { Authorization, TokenLedger, TokenLog, Use } from "./tokenLedger.js";

const BLOCK_MS = 2_000;
/** Blocks after which one is final, and never replaced. */
const FINAL_BLOCKS = 30;
export const FIRST_BLOCK = 1_000;

export interface Mined {
  readonly hash: Hex;
  readonly height: number;
  readonly status: "0x0" | "0x1";
  readonly logs: readonly TokenLog[];
  /** Sent by a settling key. */
  readonly isOurs: boolean;
}

interface SentTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly sender: Hex;
  readonly nonce: number;
  readonly fee: bigint;
  readonly to: string;
  readonly data: Hex;
}

/** What a node says to a transaction. */
export type Submission =
  | "accepted"
  | "nonce too low"
  | "already known"
  | "replacement transaction underpriced";

/** Blocks every two seconds, which may be replaced until they are final; transactions that wait; a token and a contract. */
export interface SimulatedChain {
  readonly token: TokenLedger;
  readonly contract: ChannelContract;
  head(): number;
  headAt(ms: number): number;
  finalized(): number;
  header(height: number): BlockHeader;
  /** The block of this hash, if it was not replaced. */
  isCanonical(header: Pick<BlockHeader, "number" | "hash">): boolean;
  submit(raw: Hex): Submission;
  countMined(sender: string, height: number): number;
  countPending(sender: string): number;
  findMined(hash: string): Mined | undefined;
  listMined(height: number): readonly Mined[];
  minedBy(use: Use): Mined | undefined;
  /** Somebody else's transaction: mined in one of the next blocks, or fails there. */
  later(run: (height: number, timestamp: number) => Use | undefined): void;
  readCall(data: string): Authorization | undefined;
  /** Whether a transaction that was not mined yet carries this authorization, and the token would still take it. */
  isUnderWay(authorization: Pick<Use, "payer" | "nonce">, validBefore: bigint): boolean;
  /** Called when a claim of vouchers was mined. */
  watchClaims(listener: () => void): void;
  /** For so long, no node answers; blocks are made all the same. */
  goAway(ms: number): void;
  isAway(): boolean;
  /** When a process that follows the chain saw it last. */
  lastSeenMs(): number;
  /** For so long, others fill the blocks: what settling keys sent waits. */
  fill(ms: number): void;
  /** Replaces the newest blocks; what was in them waits again, or is lost. */
  reorganise(depth: number): void;
}

const item = (bytes: Buffer, at: number): { readonly start: number; readonly end: number } => {
  const first = bytes[at] as number;
  if (first < 0x80) return { start: at, end: at + 1 };
  const isLong = (first > 0xb7 && first < 0xc0) || first > 0xf7;
  const base = first < 0xc0 ? 0x80 : 0xc0;
  if (!isLong) return { start: at + 1, end: at + 1 + first - base };
  const sizeBytes = first - base - 55;
  const size = bytes.readUIntBE(at + 1, sizeBytes);
  return { start: at + 1 + sizeBytes, end: at + 1 + sizeBytes + size };
};

/** EIP-1559: chain id, nonce, tip, fee, gas, to, value, data, access list, parity, r, s. */
function decodeTransaction(raw: Hex): SentTransaction {
  const bytes = Buffer.from(raw.slice(4), "hex");
  const fields: string[] = [];
  for (let at = item(bytes, 0).start; at < bytes.length; ) {
    const { start, end } = item(bytes, at);
    fields.push(bytes.toString("hex", start, end));
    at = end;
  }
  const [, nonce = "", , fee = "", , to = "", , data = "", , , r = ""] = fields;
  const sender: Hex = `0x${r.padStart(64, "0").slice(24)}`;
  return {
    hash: keccak256(raw),
    raw,
    sender,
    nonce: nonce === "" ? 0 : Number.parseInt(nonce, 16),
    fee: BigInt(`0x${fee || "0"}`),
    to: `0x${to}`,
    data: `0x${data}`,
  };
}

const wordAt = (data: string, place: number) => data.slice(10 + 64 * place, 74 + 64 * place);
const numberAt = (data: string, place: number) => BigInt(`0x${wordAt(data, place)}`);

/** `transferWithAuthorization`; undefined where its signature is not the payer's. See `signatureOf`. */
function readTransfer(data: string): Authorization | undefined {
  const payer = `0x${wordAt(data, 0).slice(24)}`;
  const nonce = wordAt(data, 5);
  if (wordAt(data, 7) !== nonce || wordAt(data, 8).slice(24) !== payer.slice(2)) return undefined;
  return {
    payer,
    payTo: `0x${wordAt(data, 1).slice(24)}`,
    amount: numberAt(data, 2),
    validAfter: numberAt(data, 3),
    validBefore: numberAt(data, 4),
    nonce: `0x${nonce}`,
  };
}

/** Stands for a signature: r is the nonce, s the payer. Making and recovering real ones would take most of the time. */
export const signatureOf = (payer: string, nonce: string): Hex =>
  `0x${nonce.slice(2)}${payer.slice(2).toLowerCase().padStart(64, "0")}1b`;

/** The same of a voucher: r is the amount, s the key's address. */
export const voucherSignatureOf = (
  authorizer: string,
  { maxClaimableAmount }: { readonly maxClaimableAmount: string },
): Hex =>
  `0x${BigInt(maxClaimableAmount).toString(16).padStart(64, "0")}${authorizer.slice(2).toLowerCase().padStart(64, "0")}1b`;

/** The calls of `aggregate3`. */
function* readBatch(data: string): Generator<string> {
  const count = Number(numberAt(data, 1));
  for (let place = 0; place < count; place++) {
    const start = 2 + Number(numberAt(data, 2 + place)) / 32;
    const bytes = Number(numberAt(data, start + 3));
    yield `0x${data.slice(10 + 64 * (start + 4), 10 + 64 * (start + 4) + 2 * bytes)}`;
  }
}

export function createSimulatedChain(
  scene: Scene,
  token: TokenLedger,
  contract: ChannelContract,
): SimulatedChain {
  const { timeline, choices, trace, faults } = scene;
  const beganAtMs = timeline.nowMs() - FIRST_BLOCK * BLOCK_MS;
  const waiting: SentTransaction[] = [];
  const others: ((height: number, timestamp: number) => Use | undefined)[] = [];
  const blocks = new Map<number, (Mined & { readonly sent?: SentTransaction })[]>();
  const byHash = new Map<string, Mined>();
  const carriers = new Map<string, Mined>();
  const forks: { readonly from: number; readonly id: number }[] = [];
  /** By sender: the blocks of its transactions, in order. */
  const minedOf = new Map<string, number[]>();
  const headers = new Map<number, BlockHeader>();
  let onClaim: (() => void) | undefined;
  let isMining = false;
  let foreign = 0;
  let fullUntilMs = 0;
  let awaySinceMs = 0;
  let awayUntilMs = 0;

  const headAt = (ms: number) => Math.floor((ms - beganAtMs) / BLOCK_MS);
  const head = () => headAt(timeline.nowMs());
  const timestampOf = (height: number) => Math.floor((beganAtMs + height * BLOCK_MS) / 1000);
  const hashOf = (height: number): Hex => {
    const fork = forks.findLast(({ from }) => from <= height)?.id ?? 0;
    return `0x${height.toString(16).padStart(32, "0")}${fork.toString(16).padStart(32, "0")}`;
  };
  const noncesOf = (sender: string, height: number) => {
    const heights = minedOf.get(sender) ?? [];
    let count = heights.length;
    while (count > 0 && (heights[count - 1] as number) > height) count -= 1;
    return count;
  };
  const describeBlock = (height: number): BlockHeader => ({
    number: height,
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    stateRoot: hashOf(height),
    timestamp: timestampOf(height),
    baseFeePerGas: 5_000_000n,
    gasLimit: 60_000_000n,
    gasUsed: 1_000_000n,
  });
  const headerOf = (height: number): BlockHeader => {
    const known = headers.get(height);
    if (known) return known;
    const header = describeBlock(height);
    headers.set(height, header);
    return header;
  };
  const keyOf = ({ payer, nonce }: Pick<Use, "payer" | "nonce">) => `${payer} ${nonce}`;

  function awaitBlock(): void {
    if (isMining || (waiting.length === 0 && others.length === 0)) return;
    isMining = true;
    const dueMs = beganAtMs + (head() + 1) * BLOCK_MS;
    timeline.after(dueMs - timeline.nowMs(), undefined, () => {
      isMining = false;
      mine(head());
      awaitBlock();
    });
  }

  function record(mined: Mined & { readonly sent?: SentTransaction }, uses: readonly Use[]): void {
    const block = blocks.get(mined.height);
    if (block) block.push(mined);
    else blocks.set(mined.height, [mined]);
    if (mined.sent) {
      const heights = minedOf.get(mined.sent.sender);
      if (heights) heights.push(mined.height);
      else minedOf.set(mined.sent.sender, [mined.height]);
    }
    byHash.set(mined.hash, mined);
    for (const use of uses) carriers.set(keyOf(use), mined);
    trace.note(`mined ${mined.hash} ${mined.height} ${mined.status} ${uses.length}`);
  }

  function mine(height: number): void {
    const timestamp = timestampOf(height);
    for (const run of others.splice(0)) {
      if (choices.chance(0.2)) {
        others.push(run);
        continue;
      }
      foreign += 1;
      const hash: Hex = `0x${"f0".repeat(16)}${foreign.toString(16).padStart(32, "0")}`;
      const use = attemptOther(run, height, timestamp);
      if (use) record({ hash, height, status: "0x1", logs: token.logsOf(use), isOurs: false }, [use]);
    }
    if (timeline.nowMs() < fullUntilMs) return;
    const senders = new Set(waiting.map(({ sender }) => sender));
    for (const sender of senders) mineFrom(sender, height, timestamp);
  }

  function attemptOther(
    run: (height: number, timestamp: number) => Use | undefined,
    height: number,
    timestamp: number,
  ): Use | undefined {
    try {
      return run(height, timestamp);
    } catch {
      return undefined;
    }
  }

  function mineFrom(sender: Hex, height: number, timestamp: number): void {
    for (let nonce = noncesOf(sender, height); ; nonce++) {
      const place = waiting.findIndex((one) => one.sender === sender && one.nonce === nonce);
      const sent = waiting[place];
      // A block may be full, or its builder may not have seen the transaction.
      if (!sent || choices.chance(faults.isOn ? 0.15 : 0.02)) return;
      waiting.splice(place, 1);
      execute(sent, height, timestamp);
    }
  }

  function execute(sent: SentTransaction, height: number, timestamp: number): void {
    const uses: Use[] = [];
    const pay = (call: string): boolean => {
      const authorization = readTransfer(call);
      if (!authorization) return false;
      try {
        token.use(authorization, height, timestamp);
      } catch {
        return false;
      }
      uses.push(token.findUse(authorization.payer, authorization.nonce) as Use);
      return true;
    };
    let isDone = true;
    if (sent.to === BASE_MULTICALL3.toLowerCase()) for (const call of readBatch(sent.data)) pay(call);
    else if (sent.to === token.address) isDone = pay(sent.data);
    else if (sent.to === BATCH_SETTLEMENT.toLowerCase())
      isDone = runContract(sent.data, height, timestamp, uses);
    const { hash } = sent;
    record(
      { hash, height, status: isDone ? "0x1" : "0x0", logs: uses.flatMap(token.logsOf), isOurs: true, sent },
      uses,
    );
  }

  function runContract(data: Hex, height: number, timestamp: number, uses: Use[]): boolean {
    const before = token.countUses();
    try {
      contract.run(data, height, timestamp);
    } catch {
      return false;
    }
    if (data.startsWith(CLAIM)) onClaim?.();
    uses.push(...token.listUses(before));
    return true;
  }

  return {
    token,
    contract,
    head,
    headAt,
    finalized: () => head() - FINAL_BLOCKS,
    header: headerOf,
    isCanonical: ({ number, hash }) => headerOf(number).hash === hash,
    submit(raw) {
      const sent = decodeTransaction(raw);
      if (byHash.has(sent.hash) || waiting.some(({ hash }) => hash === sent.hash)) return "already known";
      if (sent.nonce < noncesOf(sent.sender, head())) return "nonce too low";
      const place = waiting.findIndex(({ sender, nonce }) => sender === sent.sender && nonce === sent.nonce);
      const rival = waiting[place];
      if (rival && sent.fee * 10n < rival.fee * 11n) return "replacement transaction underpriced";
      if (rival) waiting[place] = sent;
      else waiting.push(sent);
      awaitBlock();
      return "accepted";
    },
    countMined: noncesOf,
    countPending(sender) {
      let next = noncesOf(sender, head());
      while (waiting.some((one) => one.sender === sender && one.nonce === next)) next += 1;
      return next;
    },
    findMined: (hash) => byHash.get(hash),
    listMined: (height) => blocks.get(height) ?? [],
    minedBy: (use) => carriers.get(keyOf(use)),
    later(run) {
      others.push(run);
      awaitBlock();
    },
    readCall: readTransfer,
    isUnderWay: ({ payer, nonce }, validBefore) =>
      token.findUse(payer, nonce) === undefined &&
      BigInt(Math.floor(timeline.nowMs() / 1000)) < validBefore &&
      waiting.some(({ data }) => data.includes(nonce.slice(2))),
    watchClaims(listener) {
      onClaim = listener;
    },
    isAway: () => timeline.nowMs() < awayUntilMs,
    lastSeenMs: () => (timeline.nowMs() < awayUntilMs ? awaySinceMs : timeline.nowMs()),
    goAway(ms) {
      awaySinceMs = timeline.nowMs();
      awayUntilMs = awaySinceMs + ms;
      trace.note(`away for ${ms} ms`);
    },
    fill(ms) {
      fullUntilMs = timeline.nowMs() + ms;
      trace.note(`full for ${ms} ms`);
    },
    reorganise(depth) {
      const keep = Math.max(head() - depth, head() - FINAL_BLOCKS);
      const gone = [...blocks].filter(([height]) => height > keep);
      token.undoAfter(keep);
      contract.undoAfter(keep);
      for (const [height, mined] of gone) {
        blocks.delete(height);
        for (const one of mined) {
          byHash.delete(one.hash);
          for (const [key, carrier] of carriers) if (carrier === one) carriers.delete(key);
          // Mostly the new blocks get the same transactions.
          if (one.sent && choices.chance(0.8)) waiting.push(one.sent);
        }
      }
      for (const heights of minedOf.values()) while ((heights.at(-1) ?? 0) > keep) heights.pop();
      headers.clear();
      forks.push({ from: keep + 1, id: forks.length + 1 });
      trace.note(`reorganised from ${keep + 1}`);
      awaitBlock();
    },
  };
}
