import type { Chain } from "@assay/chain";
import { BASE_MULTICALL3, type Hex } from "@assay/protocol";
import type { Logger } from "pino";
import type { SettleOutcome } from "../facilitator.js";
import {
  answerDeliveries,
  findSettlementReceipt,
  mayBeUsed,
  type SettlementReceipt,
} from "./answerDeliveries.js";
import { broadcast, type Sent } from "./broadcast.js";
import { createWaitingDelivery, type Delivery, type WaitingDelivery } from "./delivery.js";
import { createFlight, type Flight, type FlightOrder } from "./flight.js";
import { DEFAULT_PATIENCE, type LanePatience } from "./lanePatience.js";
import { plainReason } from "./plainReason.js";
import { BEARABLE_LOSS, type SettlementCosts } from "./settlementCosts.js";
import { larger, type SettlerAccount } from "./settlerAccount.js";
import type { SettlerLease } from "./settlerLeases.js";
import { createBatchSize, MAX_BATCH, takeBatch } from "./takeBatch.js";
import { encodeBatch } from "./transferCall.js";
import { GAS_OF_BATCH, GAS_OF_NOTHING, GAS_WITH_WALLET_CODE } from "./transferGas.js";

/** Delivers authorizations with one key: sends waiting ones in batches, and keeps several transactions under way. */
export interface SettlementLane {
  readonly address: Hex;
  readonly load: () => number;
  /** For how long this process may not have sent with the key; 0 where it may now. */
  readonly missingMs: () => number;
  deliver(delivery: Delivery): Promise<SettleOutcome>;
  close(): Promise<void>;
}

const MAX_FLIGHTS = 8;
const MAX_POLL_MS = 500;
/** The same bytes are sent again this soon when no node took them, and then ever later. */
const RESEND_MS = 150;
const MAX_RESEND_MS = 2_000;
const COMPANY_POLL_MS = 100;

const sleep = async (ms: number) => ms > 0 && new Promise((done) => setTimeout(done, ms));

export interface LaneOptions {
  readonly chain: Chain;
  readonly account: SettlerAccount;
  /** Undefined: what settling costs is not asked. */
  readonly costs?: SettlementCosts | undefined;
  /** Whether payments are settled that cost more than they pay. */
  readonly settlesBelowCost?: boolean | undefined;
  readonly logger: Logger;
  readonly patience?: Partial<LanePatience> | undefined;
  /** Undefined: no other process has the key. */
  readonly lease?: SettlerLease | undefined;
}

export function createSettlementLane(options: LaneOptions): SettlementLane {
  const { chain, account, costs, settlesBelowCost, logger, patience, lease } = options;
  const { giveUpMs, stuckMs, untakenMs, batchWaitMs, receiptMs, closeMs } = {
    ...DEFAULT_PATIENCE,
    ...patience,
  };
  const queue: WaitingDelivery[] = [];
  const unanswered = new Set<WaitingDelivery>();
  const flights = new Map<number, Flight>();
  let launching = false;
  let isCompanyAwaited = false;
  const batchSize = createBatchSize();
  let closed = false;
  // Another process may have sent since this one last did.
  lease?.onHeld(() => account.forgetNonce());

  /** Behind a transaction that no node takes, a second one would leave a gap; what comes meanwhile waits and travels together. */
  const mayLaunch = () =>
    flights.size < MAX_FLIGHTS && ![...flights.values()].some(({ taken }) => taken === "no");

  async function pump(): Promise<void> {
    if (launching) return;
    launching = true;
    try {
      await sleep(batchSize.gatherMs());
      while (queue.length > 0 && mayLaunch() && !closed) {
        const batch = takeBatch(queue, batchSize.most());
        if (batch.length === 0) continue;
        const waiting = findWaiting(batch);
        if (waiting === undefined) {
          await launch(batch);
          continue;
        }
        // Behind those that wait for others to share a batch with there may be one that travels alone, and waits for nobody.
        const isLast = queue.length === 0;
        queue.push(...waiting);
        if (isLast) break;
      }
    } finally {
      launching = false;
    }
  }

  /** Those of a batch that does not pay for its transaction, while it may still grow. The ones that waited in vain are answered. */
  function findWaiting(batch: WaitingDelivery[]): WaitingDelivery[] | undefined {
    const cost = settlesBelowCost ? undefined : costs?.estimate(batch.length, account.expectedGasPrice());
    const paid = batch.reduce((sum, { expected }) => sum + (expected?.amount ?? 0n), 0n);
    const isBorne = cost === undefined || paid + BEARABLE_LOSS * BigInt(batch.length) >= cost;
    if (isBorne || batch.some(({ atAnyCost }) => atAnyCost)) return undefined;
    const isLate = (item: WaitingDelivery) => item.alone || Date.now() - item.queuedAtMs > batchWaitMs;
    const reason = `settling it would cost ${cost} micro-dollars, more than it pays`;
    for (const item of batch.filter(isLate)) item.answer({ status: "not_sent", isBelowCost: true, reason });
    const waiting = batch.filter((item) => !item.isAnswered());
    for (const item of waiting) item.launches--;
    if (!isCompanyAwaited) setTimeout(endCompanyWait, COMPANY_POLL_MS).unref();
    isCompanyAwaited = true;
    return waiting;
  }

  function endCompanyWait(): void {
    isCompanyAwaited = false;
    void pump();
  }

  async function launch(batch: WaitingDelivery[]): Promise<void> {
    const flight = await prepare(batch).catch((error: unknown) => {
      for (const item of batch) item.answer({ status: "not_sent", reason: plainReason(error) });
    });
    if (!flight) return;
    let sent = await send(flight, false);
    for (let raises = 0; sent.status === "underpriced" && raises < 5; raises++) {
      await resign(flight);
      sent = await send(flight, false);
    }
    const size = flight.items.length;
    if (sent.status === "too_big") batchSize.noteTooBig(size);
    else if (sent.status === "accepted") batchSize.noteTaken(size);
    if (sent.status === "accepted" || sent.status === "perhaps" || sent.status === "undelivered") {
      void track(flight);
      return;
    }
    // A nonce too low may be our own transaction, which a gateway sent twice.
    if (sent.status === "nonce_wrong" && (await land(flight))) return;
    drop(flight);
    // Taken by a transaction still pending: the next nonce is free. Otherwise: ask the chain.
    if (sent.status !== "nonce_taken") account.forgetNonce();
    const isSplit = sent.status === "too_big" && size > 1;
    if (isSplit) for (const item of flight.items) item.launches--;
    if (isSplit || sent.status === "nonce_taken" || sent.status === "nonce_wrong")
      queue.unshift(...flight.items);
    else for (const item of flight.items) item.answer({ status: "not_sent", reason: sent.reason });
  }

  async function prepare(batch: WaitingDelivery[]): Promise<Flight | undefined> {
    if (lease && !lease.isHeld()) await lease.whenHeld();
    let nonce = await account.takeNonce();
    while (flights.has(nonce)) nonce = await account.takeNonce();
    // A caller that was answered meanwhile heard that nothing was sent, and that must stay true.
    const items = batch.filter((item) => !item.isAnswered());
    const [first] = items;
    if (!first || closed) {
      account.giveBack(nonce);
      return undefined;
    }
    const single = items.length === 1;
    const gas = items.reduce((sum, item) => sum + item.gas, 0n);
    const flight = await takeOff(items, {
      nonce,
      to: single ? first.to : BASE_MULTICALL3,
      data: single ? first.call : encodeBatch(items),
      gas: first.alone ? larger(gas, GAS_WITH_WALLET_CODE) : GAS_OF_BATCH + gas,
      fees: account.currentFees(),
    });
    // Signing may have taken a while. A transaction that would carry somebody who heard that nothing was sent must not leave.
    if (!closed && !items.some((item) => item.isAnswered())) return flight;
    drop(flight);
    account.giveBack(nonce);
    queue.unshift(...items.filter((item) => !item.isAnswered()));
    return undefined;
  }

  /** Holds the nonce while the transaction is signed, which may take a while. Throws where it cannot be signed; nothing is held then. */
  async function takeOff(items: WaitingDelivery[], order: FlightOrder): Promise<Flight> {
    const flight = createFlight(items, order);
    flights.set(order.nonce, flight);
    try {
      const signing = account.sign(order);
      const { raw, hash } = signing instanceof Promise ? await signing : signing;
      flight.raw = raw;
      flight.hashes.push(hash);
      flight.lastSentAtMs = Date.now();
      return flight;
    } catch (error) {
      flights.delete(order.nonce);
      account.giveBack(order.nonce);
      throw error;
    }
  }

  /** Ends a flight here. Where no node ever had it, no item is under way with it. */
  function drop(flight: Flight): void {
    flights.delete(flight.nonce);
    if (flight.taken === "no") for (const item of flight.items) item.underWay.delete(flight.nonce);
  }

  /**
   * Bids more; at the ceiling the same transaction is sent once more, in case the node lost it. So it is where the key does not sign
   * now: a key elsewhere may give two signatures of one transaction, and the bytes that are there are as good.
   */
  async function resign(flight: Flight): Promise<void> {
    const fees = account.raiseFees(flight.fees);
    if (fees === flight.fees) return;
    const order = { nonce: flight.nonce, to: flight.to, data: flight.data, gas: flight.gas, fees };
    try {
      const signing = account.sign(order);
      const { raw, hash } = signing instanceof Promise ? await signing : signing;
      flight.fees = fees;
      flight.raw = raw;
      // A delivery that joined meanwhile knows the hashes there were; `send` adds this one to all.
      if (!flight.hashes.includes(hash)) flight.hashes.push(hash);
    } catch (error) {
      logger.warn({ nonce: flight.nonce, reason: plainReason(error) }, "a higher bid could not be signed");
    }
  }

  async function send(flight: Flight, toEach: boolean): Promise<Sent> {
    const hash = flight.hashes.at(-1) as Hex;
    // Before it leaves: an answer that is due meanwhile must not say that nothing was sent.
    for (const item of flight.items) {
      item.underWay.add(flight.nonce);
      item.carriers.add(hash);
    }
    flight.lastSentAtMs = Date.now();
    const sent = await broadcast(chain, flight.raw, toEach);
    if (sent.status === "accepted") {
      flight.taken = "yes";
      flight.resends = 0;
    } else {
      const mayHaveIt = sent.status === "perhaps" || sent.status === "nonce_wrong";
      if (mayHaveIt && flight.taken === "no") flight.taken = "perhaps";
      if (sent.status !== "undelivered") flight.resends++;
      logger.warn({ nonce: flight.nonce, ...sent }, "settlement not accepted");
    }
    if (flight.taken === "no") for (const item of flight.items) item.underWay.delete(flight.nonce);
    return sent;
  }

  /** Waits for the receipt. Sends again what no node took, replaces what is stuck, and notices what can never be mined. */
  async function track(flight: Flight): Promise<void> {
    for (let waitMs = 0; !closed; waitMs = Math.min(Math.max(20, waitMs * 2), pollCeilingMs(flight))) {
      await sleep(waitMs);
      if (flight.taken === "no" ? abandon(flight) : await land(flight)) break;
      const idleMs = Date.now() - flight.lastSentAtMs;
      if (flight.taken !== "yes" && idleMs > Math.min(MAX_RESEND_MS, RESEND_MS * 2 ** flight.resends))
        await sendAgain(flight);
      if (flight.taken !== "no" && Date.now() - flight.lastSentAtMs > stuckAfterMs(flight))
        if (!(await unstick(flight))) break;
    }
    void pump();
  }

  /** True when nobody waits for it any longer, or no node took it in time: it was never sent, and its nonce is free. */
  function abandon(flight: Flight): boolean {
    const isLate = Date.now() - flight.startedAtMs > untakenMs;
    if (!isLate && !flight.items.some((item) => item.isAnswered())) return false;
    drop(flight);
    account.giveBack(flight.nonce);
    const waiting = flight.items.filter((item) => !item.isAnswered());
    if (!isLate) queue.unshift(...waiting);
    else
      for (const item of waiting) item.answer({ status: "not_sent", reason: "no node takes transactions" });
    return true;
  }

  /** The same bytes to each node, so that at most one transaction can come of it. */
  async function sendAgain(flight: Flight): Promise<void> {
    const sent = await send(flight, true);
    // The nonce is used, by this transaction or by another: the chain knows.
    if (sent.status === "nonce_wrong") {
      flight.taken = "yes";
      flight.lastSentAtMs = 0;
    }
    if (sent.status === "nonce_taken" || sent.status === "underpriced") await resign(flight);
  }

  /** True when the chain has mined one of the flight's transactions; answers its deliveries. */
  async function land(flight: Flight): Promise<boolean> {
    const receipt = await findSettlementReceipt(chain, flight.hashes);
    if (!receipt) return false;
    flights.delete(flight.nonce);
    // Numbers are mined in order: with this one every lower one has had its turn.
    for (const item of flight.items)
      for (const nonce of item.underWay) if (nonce <= flight.nonce) item.underWay.delete(nonce);
    const again = await answerDeliveries(
      chain,
      account.address,
      receipt,
      flight.items,
      shareOfCost(receipt, flight.items.length),
    );
    for (const item of again) item.alone = true;
    queue.unshift(...again);
    return true;
  }

  function shareOfCost(receipt: SettlementReceipt, count: number): bigint | undefined {
    const { gasUsed, effectiveGasPrice: weiPerGas, l1Fee } = receipt;
    const cost = costs?.measure({ gasUsed, weiPerGas, l1Fee });
    return cost === undefined || count === 0 ? undefined : cost / BigInt(count);
  }

  /** A quarter of a block's time; where blocks are late, a third of the time that was waited. Each poll costs money. */
  const pollCeilingMs = ({ lastSentAtMs }: Flight) =>
    Math.min(MAX_POLL_MS, Math.max(40, chain.blockTimeMs() / 4, (Date.now() - lastSentAtMs) / 3));
  /** Once the nonce is known to be used, only a receipt is missing, and that is a matter of a block. */
  const stuckAfterMs = ({ missing }: Flight) =>
    missing > 0 ? chain.blockTimeMs() : Math.max(stuckMs, 4 * chain.blockTimeMs());

  /** True while this flight may still be mined. */
  async function unstick(flight: Flight): Promise<boolean> {
    const mined = await account.countMined().catch(() => undefined);
    flight.lastSentAtMs = Date.now();
    // The process that has the key now decides what follows this transaction.
    if (mined === undefined || lease?.isHeld() === false) return true;
    const isReplaced = mined > flight.nonce && ++flight.missing >= 3;
    if (isReplaced && (await mayBeUsed(chain, flight.items))) return awaitReceipt(flight);
    const gap = flight.nonce - mined;
    if (isReplaced || gap > MAX_FLIGHTS) {
      const facts = { nonce: flight.nonce, mined };
      logger.warn(facts, isReplaced ? "nonce used by another transaction" : "nonce far ahead of the chain");
      drop(flight);
      account.restartAt(mined);
      queue.unshift(...flight.items.filter((item) => !item.isAnswered()));
      return false;
    }
    if (gap > 0) await fillGap(mined, flight.nonce);
    if (gap === 0) {
      await resign(flight);
      await send(flight, true);
    }
    return true;
  }

  /** It was mined, and the nodes do not show its receipt yet: true while that is waited for. Then the chain's events decide. */
  function awaitReceipt(flight: Flight): boolean {
    flight.missing = 0;
    if (Date.now() - flight.startedAtMs <= receiptMs) return true;
    for (const item of flight.items) item.answer({ status: "unknown", reason: "no node has its receipt" });
    drop(flight);
    return false;
  }

  /** Numbers that are neither mined nor under way here would hold up all above them, so empty transactions use them up. */
  async function fillGap(from: number, to: number): Promise<void> {
    for (let nonce = from; nonce < to; nonce++) {
      if (flights.has(nonce) || closed) continue;
      logger.warn({ nonce }, "nonce gap filled");
      const filler = await takeOff([], {
        nonce,
        to: account.address,
        data: "0x",
        gas: GAS_OF_NOTHING,
        // Something with this nonce may be pending with a bid that nobody takes.
        fees: account.raiseFees(account.currentFees()),
      }).catch(() => undefined);
      // The gap stays until the key signs: what waits above it tries again.
      if (!filler) return;
      await send(filler, true);
      void track(filler);
    }
  }

  /** True when a transaction under way carries the authorization already, for a caller that gave up waiting. */
  function join(item: WaitingDelivery): boolean {
    const flight = [...flights.values()].find(({ items }) => items.some((other) => other.call === item.call));
    if (!flight) return false;
    flight.items.push(item);
    if (flight.taken !== "no") item.underWay.add(flight.nonce);
    for (const hash of flight.hashes) item.carriers.add(hash);
    return true;
  }

  return {
    address: account.address,
    missingMs: () => lease?.missingMs() ?? 0,
    load: () => queue.length + flights.size * MAX_BATCH,
    deliver: (delivery) =>
      new Promise((resolve) => {
        if (closed) return resolve({ status: "not_sent", reason: "shutting down" });
        const item = createWaitingDelivery(delivery, giveUpMs, (answered, outcome) => {
          unanswered.delete(answered);
          resolve(outcome);
        });
        unanswered.add(item);
        if (join(item)) return;
        queue.push(item);
        // Deliveries of the same turn of the event loop travel together.
        setImmediate(() => void pump());
      }),
    async close() {
      for (let waited = 0; unanswered.size > 0 && waited < closeMs; waited += 20) await sleep(20);
      closed = true;
      for (const item of unanswered) item.answer({ status: "not_sent", reason: "shutting down" });
    },
  };
}
