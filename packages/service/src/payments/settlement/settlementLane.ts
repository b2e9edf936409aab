import type { Hex } from "@assay/protocol";
import type { Logger } from "pino";
import { encodeFunctionData } from "viem";
import { z } from "zod";
import { RpcError } from "../../chain/rpcError.js";
import type { Chain } from "../../chain/types.js";
import type { SettleOutcome } from "../facilitator.js";
import type { Fees, SettlerAccount } from "./settlerAccount.js";
import {
  authorizationAbi,
  type ExpectedTransfer,
  encodeBatch,
  MULTICALL3,
  readTransferLogs,
} from "./transferCall.js";

/** One authorization waiting to be delivered. */
export interface Delivery {
  readonly call: Hex;
  readonly expected: ExpectedTransfer;
  /** Unix seconds. */
  readonly validBefore: bigint;
  /** A payer with code runs it during the transfer and could burn a batch's gas, so it travels alone. */
  readonly alone: boolean;
}

/** Delivers authorizations with one key: gathers what waits, keeps several transactions under way. */
export interface SettlementLane {
  readonly address: Hex;
  readonly load: () => number;
  deliver(delivery: Delivery): Promise<SettleOutcome>;
  close(): Promise<void>;
}

interface Waiting extends Delivery {
  readonly outcome: (outcome: SettleOutcome) => void;
  readonly giveUpAtMs: number;
  isAnswered: boolean;
  launches: number;
}

interface Flight {
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly items: readonly Waiting[];
  readonly hashes: Hex[];
  fees: Fees;
  raw: Hex;
  lastSentAtMs: number;
  /** Looks that found the nonce mined but none of our hashes. */
  missing: number;
}

type Sent =
  | "accepted"
  | "perhaps"
  | "nonce_taken"
  | "nonce_wrong"
  | "underpriced"
  | { readonly refused: string };

const MAX_BATCH = 60;
const MAX_FLIGHTS = 8;
const MAX_LAUNCHES = 8;
const GIVE_UP_MS = 25_000;
const MIN_STUCK_MS = 3_000;
const MAX_POLL_MS = 500;
const CLOSE_GRACE_MS = 5_000;
/** Measured on Circle's token: at most 90,000 for a plain payer. A wallet's own check gets a larger share. */
const GAS_PER_TRANSFER = 130_000n;
const GAS_OF_BATCH = 60_000n;
const GAS_WITH_WALLET_CODE = 600_000n;

const receiptSchema = z.object({
  status: z.enum(["0x0", "0x1"]),
  transactionHash: z.string(),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});
type Receipt = z.infer<typeof receiptSchema>;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

export interface LaneOptions {
  readonly chain: Chain;
  readonly account: SettlerAccount;
  readonly logger: Logger;
}

export function createSettlementLane({ chain, account, logger }: LaneOptions): SettlementLane {
  const queue: Waiting[] = [];
  const flights = new Map<number, Flight>();
  let launching = false;
  let closed = false;

  function answer(item: Waiting, outcome: SettleOutcome): void {
    if (item.isAnswered) return;
    item.isAnswered = true;
    item.outcome(outcome);
  }

  /** Takes a lone delivery, or as many others as fit, dropping what expired while it waited. */
  function takeBatch(): Waiting[] {
    const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
    const batch: Waiting[] = [];
    while (queue.length > 0 && batch.length < MAX_BATCH) {
      const [item] = queue as [Waiting];
      if (item.validBefore <= nowSeconds) answer(item, { status: "failed", reason: "authorization_expired" });
      else if (item.launches >= MAX_LAUNCHES)
        answer(item, { status: "unknown", reason: "could not be sent" });
      else if (!item.isAnswered) {
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

  async function launch(items: Waiting[]): Promise<void> {
    const flight = await prepare(items).catch((error: unknown) => {
      for (const item of items) answer(item, { status: "not_sent", reason: messageOf(error) });
    });
    if (!flight) return;
    let sent = await broadcast(flight);
    for (let raises = 0; sent === "underpriced" && raises < 5; raises++) {
      resign(flight);
      sent = await broadcast(flight);
    }
    if (sent === "accepted" || sent === "perhaps") {
      void track(flight);
      return;
    }
    flights.delete(flight.nonce);
    if (sent === "nonce_taken" || sent === "nonce_wrong") {
      // Taken by a transaction still pending: the next number is free. Wrong: ask the chain.
      if (sent === "nonce_wrong") account.forgetNonce();
      queue.unshift(...items);
      return;
    }
    account.forgetNonce();
    const reason = typeof sent === "object" ? sent.refused : sent;
    for (const item of items) answer(item, { status: "not_sent", reason });
  }

  async function prepare(items: Waiting[]): Promise<Flight> {
    let nonce = await account.takeNonce();
    while (flights.has(nonce)) nonce = await account.takeNonce();
    const [first] = items as [Waiting];
    const single = items.length === 1;
    const to = single ? (first.expected.token as Hex) : MULTICALL3;
    const data = single
      ? first.call
      : encodeBatch(
          first.expected.token as Hex,
          items.map((item) => item.call),
        );
    const gas = first.alone ? GAS_WITH_WALLET_CODE : GAS_OF_BATCH + GAS_PER_TRANSFER * BigInt(items.length);
    const fees = account.currentFees();
    const { raw, hash } = account.sign({ nonce, to, data, gas, fees });
    const flight = {
      nonce,
      to,
      data,
      gas,
      items,
      hashes: [hash],
      fees,
      raw,
      lastSentAtMs: Date.now(),
      missing: 0,
    };
    flights.set(nonce, flight);
    return flight;
  }

  function resign(flight: Flight): void {
    flight.fees = account.raiseFees(flight.fees);
    const { raw, hash } = account.sign(flight);
    flight.raw = raw;
    flight.hashes.push(hash);
  }

  async function broadcast(flight: Flight): Promise<Sent> {
    flight.lastSentAtMs = Date.now();
    try {
      await chain.request("eth_sendRawTransaction", [flight.raw]);
      return "accepted";
    } catch (error) {
      const sent = error instanceof RpcError ? readRefusal(error.message) : "perhaps";
      if (sent !== "accepted")
        logger.warn({ nonce: flight.nonce, sent, reason: messageOf(error) }, "settlement not accepted");
      return sent;
    }
  }

  /** Waits for the receipt, replacing a stuck transaction and noticing one that can never be mined. */
  async function track(flight: Flight): Promise<void> {
    for (let waitMs = 0; !closed; waitMs = Math.min(Math.max(20, waitMs * 2), pollCeilingMs())) {
      if (waitMs > 0) await sleep(waitMs);
      const receipt = await findReceipt(flight);
      if (receipt) {
        flights.delete(flight.nonce);
        await conclude(flight, receipt);
        break;
      }
      for (const item of flight.items) {
        if (Date.now() > item.giveUpAtMs) answer(item, { status: "unknown", reason: "not mined in time" });
      }
      if (Date.now() - flight.lastSentAtMs > stuckAfterMs() && !(await unstick(flight))) break;
    }
    void pump();
  }

  const pollCeilingMs = () => Math.min(MAX_POLL_MS, Math.max(40, chain.blockTimeMs() / 4));
  const stuckAfterMs = () => Math.max(MIN_STUCK_MS, 4 * chain.blockTimeMs());

  async function findReceipt(flight: Flight): Promise<Receipt | undefined> {
    for (const hash of flight.hashes.toReversed()) {
      const found = await chain.request("eth_getTransactionReceipt", [hash]).catch(() => null);
      const receipt = receiptSchema.safeParse(found);
      if (receipt.success) return receipt.data;
    }
    return undefined;
  }

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
      queue.unshift(...flight.items.filter((item) => !item.isAnswered));
      return false;
    }
    if (mined === flight.nonce) {
      resign(flight);
      await broadcast(flight);
    }
    return true;
  }

  async function conclude(flight: Flight, receipt: Receipt): Promise<void> {
    const logs = receipt.status === "0x1" ? receipt.logs : [];
    const unpaid: Waiting[] = [];
    for (const item of flight.items) {
      if (readTransferLogs(logs, item.expected) === "paid") {
        answer(item, { status: "settled", transaction: receipt.transactionHash.toLowerCase() });
      } else unpaid.push(item);
    }
    if (unpaid.length > 0) await explain(unpaid);
  }

  /** The token refused these. Used by someone else means only the chain's history can tell; unused is a plain failure. */
  async function explain(items: readonly Waiting[]): Promise<void> {
    const states = await chain
      .readLatest(items.map(({ expected }) => stateCall(expected)))
      .catch((): undefined => undefined);
    items.forEach((item, i) => {
      const state = states?.[i];
      const isUnused = state?.status === "value" && BigInt(state.value) === 0n;
      answer(
        item,
        isUnused
          ? { status: "failed", reason: "the token refused the transfer" }
          : { status: "unknown", reason: "authorization already used" },
      );
    });
  }

  return {
    address: account.address,
    load: () => queue.length + flights.size * MAX_BATCH,
    deliver: (delivery) =>
      new Promise((outcome) => {
        if (closed) return outcome({ status: "not_sent", reason: "shutting down" });
        queue.push({
          ...delivery,
          outcome,
          giveUpAtMs: Date.now() + GIVE_UP_MS,
          isAnswered: false,
          launches: 0,
        });
        // Deliveries of the same turn of the event loop travel together.
        setImmediate(() => void pump());
      }),
    async close() {
      for (let waited = 0; (flights.size > 0 || queue.length > 0) && waited < CLOSE_GRACE_MS; waited += 20)
        await sleep(20);
      closed = true;
      account.close();
      for (const flight of flights.values()) {
        for (const item of flight.items)
          answer(item, { status: "unknown", reason: "shut down while settling" });
      }
      for (const item of queue) answer(item, { status: "not_sent", reason: "shutting down" });
    },
  };
}

function stateCall({ token, payer, nonce }: ExpectedTransfer) {
  const args = [payer as Hex, nonce as Hex] as const;
  return {
    kind: "call",
    to: token as Hex,
    data: encodeFunctionData({ abi: authorizationAbi, functionName: "authorizationState", args }),
  } as const;
}

/** What a node means by refusing a transaction. What is not recognised may have been accepted all the same. */
function readRefusal(message: string): Sent {
  if (/already known|already imported|known transaction|already exists/i.test(message)) return "accepted";
  if (/replacement|could not replace/i.test(message)) return "nonce_taken";
  if (/nonce/i.test(message)) return "nonce_wrong";
  if (/underpriced|less than block base fee|fee too low|too low to be included/i.test(message))
    return "underpriced";
  if (/insufficient funds|doesn't have enough funds|not have enough/i.test(message))
    return { refused: "the settler has too little ETH for gas" };
  return "perhaps";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);
}
