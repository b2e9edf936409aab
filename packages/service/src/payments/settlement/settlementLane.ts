import type { Chain } from "@assay/chain";
import { BASE_MULTICALL3, type Hex } from "@assay/protocol";
import type { Logger } from "pino";
import type { SettleOutcome } from "../facilitator.js";
import { answerDeliveries, findSettlementReceipt } from "./answerDeliveries.js";
import { broadcast, type Sent } from "./broadcast.js";
import { createWaitingDelivery, type Delivery, type WaitingDelivery } from "./delivery.js";
import { plainReason } from "./plainReason.js";
import type { Fees, SettlerAccount } from "./settlerAccount.js";
import { encodeBatch } from "./transferCall.js";

/** Delivers authorizations with one key: sends waiting ones in batches, and keeps several transactions under way. */
export interface SettlementLane {
  readonly address: Hex;
  readonly load: () => number;
  deliver(delivery: Delivery): Promise<SettleOutcome>;
  close(): Promise<void>;
}

/** A transaction under way, under every hash it was sent with. */
interface Flight {
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly items: readonly WaitingDelivery[];
  readonly hashes: Hex[];
  fees: Fees;
  raw: Hex;
  lastSentAtMs: number;
  /** Checks that found the nonce mined but none of our hashes. */
  missing: number;
}

const MAX_BATCH = 60;
const MAX_FLIGHTS = 8;
const MAX_LAUNCHES = 8;
const MAX_POLL_MS = 500;
/** Measured on Circle's token: at most 90,000 for a plain payer. A wallet's own check gets a larger share. */
const GAS_PER_TRANSFER = 130_000n;
const GAS_OF_BATCH = 60_000n;
export const GAS_OF_ONE_TRANSFER = GAS_OF_BATCH + GAS_PER_TRANSFER;
export const GAS_WITH_WALLET_CODE = 600_000n;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** How long a lane waits; tests wait less. */
export interface LanePatience {
  /** A caller waits at most this long for an outcome. */
  readonly giveUpMs: number;
  /** A transaction not mined after this time, or four blocks if those last longer, is sent again with higher fees. */
  readonly stuckMs: number;
  /** Closing waits this long for what is under way. */
  readonly closeMs: number;
}
const DEFAULT_PATIENCE: LanePatience = { giveUpMs: 25_000, stuckMs: 3_000, closeMs: 5_000 };

export interface LaneOptions {
  readonly chain: Chain;
  readonly account: SettlerAccount;
  readonly logger: Logger;
  readonly patience?: Partial<LanePatience> | undefined;
}

export function createSettlementLane({ chain, account, logger, patience }: LaneOptions): SettlementLane {
  const { giveUpMs, stuckMs, closeMs } = { ...DEFAULT_PATIENCE, ...patience };
  const queue: WaitingDelivery[] = [];
  const unanswered = new Set<WaitingDelivery>();
  const flights = new Map<number, Flight>();
  let launching = false;
  let closed = false;

  /** Takes a lone delivery, or as many others as fit, dropping what expired while it waited. */
  function takeBatch(): WaitingDelivery[] {
    const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
    const batch: WaitingDelivery[] = [];
    while (queue.length > 0 && batch.length < MAX_BATCH) {
      const [item] = queue as [WaitingDelivery];
      if (item.validBefore <= nowSeconds) item.answer({ status: "failed", reason: "authorization_expired" });
      else if (item.launches >= MAX_LAUNCHES) item.answer({ status: "unknown", reason: "could not be sent" });
      else if (!item.isAnswered()) {
        if (item.alone && batch.length > 0) break;
        item.launches++;
        batch.push(item);
      }
      queue.shift();
      if (batch[0]?.alone) break;
    }
    return batch;
  }

  async function pump(): Promise<void> {
    if (launching) return;
    launching = true;
    try {
      while (queue.length > 0 && flights.size < MAX_FLIGHTS && !closed) {
        const batch = takeBatch();
        if (batch.length > 0) await launch(batch);
      }
    } finally {
      launching = false;
    }
  }

  async function launch(batch: WaitingDelivery[]): Promise<void> {
    const flight = await prepare(batch).catch((error: unknown) => {
      for (const item of batch) item.answer({ status: "not_sent", reason: plainReason(error) });
    });
    if (!flight) return;
    const { nonce, items } = flight;
    let sent = await send(flight);
    for (let raises = 0; sent.status === "underpriced" && raises < 5; raises++) {
      resign(flight);
      sent = await send(flight);
    }
    if (sent.status === "accepted" || sent.status === "perhaps") {
      void track(flight);
      return;
    }
    flights.delete(nonce);
    // A number too low may be our own transaction, which a gateway sent twice: that one stays under way.
    if (sent.status !== "nonce_wrong") for (const item of items) item.underWay.delete(nonce);
    // Taken by a transaction still pending: the next number is free. Otherwise: ask the chain.
    if (sent.status !== "nonce_taken") account.forgetNonce();
    if (sent.status === "nonce_taken" || sent.status === "nonce_wrong") queue.unshift(...items);
    else for (const item of items) item.answer({ status: "not_sent", reason: sent.reason });
  }

  async function prepare(batch: WaitingDelivery[]): Promise<Flight | undefined> {
    let nonce = await account.takeNonce();
    while (flights.has(nonce)) nonce = await account.takeNonce();
    // A caller that was answered meanwhile heard that nothing was sent, and that must stay true.
    const items = batch.filter((item) => !item.isAnswered());
    const [first] = items;
    if (!first || closed) {
      account.forgetNonce();
      return undefined;
    }
    const token = first.expected.token as Hex;
    const single = items.length === 1;
    const calls = items.map((item) => item.call);
    const order = {
      nonce,
      to: single ? token : BASE_MULTICALL3,
      data: single ? first.call : encodeBatch(token, calls),
      gas: first.alone ? GAS_WITH_WALLET_CODE : GAS_OF_BATCH + GAS_PER_TRANSFER * BigInt(items.length),
      fees: account.currentFees(),
    };
    const { raw, hash } = account.sign(order);
    const flight: Flight = { ...order, items, hashes: [hash], raw, lastSentAtMs: Date.now(), missing: 0 };
    flights.set(nonce, flight);
    for (const item of items) item.underWay.add(nonce);
    return flight;
  }

  /** Bids more; at the ceiling the same transaction is sent once more, in case the node lost it. */
  function resign(flight: Flight): void {
    flight.fees = account.raiseFees(flight.fees);
    const { raw, hash } = account.sign(flight);
    flight.raw = raw;
    if (!flight.hashes.includes(hash)) flight.hashes.push(hash);
  }

  async function send(flight: Flight): Promise<Sent> {
    flight.lastSentAtMs = Date.now();
    const sent = await broadcast(chain, flight.raw);
    if (sent.status !== "accepted") logger.warn({ nonce: flight.nonce, ...sent }, "settlement not accepted");
    return sent;
  }

  /** Waits for the receipt, replacing a stuck transaction and noticing one that can never be mined. */
  async function track(flight: Flight): Promise<void> {
    for (let waitMs = 0; !closed; waitMs = Math.min(Math.max(20, waitMs * 2), pollCeilingMs())) {
      if (waitMs > 0) await sleep(waitMs);
      const receipt = await findSettlementReceipt(chain, flight.hashes);
      if (receipt) {
        flights.delete(flight.nonce);
        // Numbers are mined in order: with this one every lower one has had its turn.
        for (const item of flight.items)
          for (const nonce of item.underWay) if (nonce <= flight.nonce) item.underWay.delete(nonce);
        const again = await answerDeliveries(chain, account.address, receipt, flight.items);
        for (const item of again) item.alone = true;
        queue.unshift(...again);
        break;
      }
      if (Date.now() - flight.lastSentAtMs > stuckAfterMs() && !(await unstick(flight))) break;
    }
    void pump();
  }

  const pollCeilingMs = () => Math.min(MAX_POLL_MS, Math.max(40, chain.blockTimeMs() / 4));
  const stuckAfterMs = () => Math.max(stuckMs, 4 * chain.blockTimeMs());

  /** True while this flight may still be mined. */
  async function unstick(flight: Flight): Promise<boolean> {
    const mined = await account.countMined().catch(() => undefined);
    flight.lastSentAtMs = Date.now();
    if (mined === undefined) return true;
    const replaced = mined > flight.nonce && ++flight.missing >= 3;
    // A number below ours that is neither mined nor under way here: ours would wait for ever.
    const behindGap = mined < flight.nonce && !flights.has(mined);
    if (replaced || behindGap) {
      logger.warn(
        { nonce: flight.nonce, mined },
        replaced ? "nonce used by another transaction" : "nonce gap",
      );
      flights.delete(flight.nonce);
      account.forgetNonce();
      queue.unshift(...flight.items.filter((item) => !item.isAnswered()));
      return false;
    }
    if (mined === flight.nonce) {
      resign(flight);
      await send(flight);
    }
    return true;
  }

  return {
    address: account.address,
    load: () => queue.length + flights.size * MAX_BATCH,
    deliver: (delivery) =>
      new Promise((resolve) => {
        if (closed) return resolve({ status: "not_sent", reason: "shutting down" });
        const item = createWaitingDelivery(delivery, giveUpMs, (answered, outcome) => {
          unanswered.delete(answered);
          resolve(outcome);
        });
        unanswered.add(item);
        queue.push(item);
        // Deliveries of the same turn of the event loop travel together.
        setImmediate(() => void pump());
      }),
    async close() {
      for (let waited = 0; unanswered.size > 0 && waited < closeMs; waited += 20) await sleep(20);
      closed = true;
      account.close();
      for (const item of unanswered) item.answer({ status: "not_sent", reason: "shutting down" });
    },
  };
}
