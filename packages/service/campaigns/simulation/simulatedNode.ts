import type { BlockHeader, Chain, ChainRead, SendAnswer } from "@assay/chain";
import {
  AssayError,
  BASE_MULTICALL3,
  BATCH_SETTLEMENT,
  ETHER_USD_FEED,
  type Hex,
  type Reading,
} from "@assay/protocol";
import { encodeFunctionResult, multicall3Abi } from "viem";
import {
  asTopic,
  authorizationStateCall,
  balanceOfCall,
} from "../../src/payments/settlement/transferCall.js";
import { drawDelayMs, type FaultKind, never, type Scene } from "./faults.js";
import type { Mined, SimulatedChain } from "./simulatedChain.js";
import type { Owner } from "./timeline.js";

const READ_KINDS: readonly FaultKind[] = [
  "request lost",
  "answer lost",
  "late",
  "very late",
  "died before",
  "died after",
  "garbled",
  "unanswered",
  "behind",
];
const SEND_KINDS: readonly FaultKind[] = [
  "request lost",
  "answer lost",
  "late",
  "died before",
  "died after",
  "sent twice",
  "unanswered",
];

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const ZERO = `0x${"0".repeat(40)}`;
const STATE_CALL = authorizationStateCall(ZERO, ZERO, `0x${"0".repeat(64)}`).data.slice(0, 10);
const BALANCE_CALL = balanceOfCall(ZERO, ZERO).data.slice(0, 10);
const FEES = encodeFunctionResult({
  abi: multicall3Abi,
  functionName: "aggregate3",
  result: [0n, 0n, 10n ** 9n, 2n * 10n ** 9n, 3n * 10n ** 9n].map((fee) => ({
    success: true,
    returnData: word(fee),
  })),
});
const USED = `0x${Buffer.from("authorization is used or canceled").toString("hex")}`;
const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;
/** A head that is older starts no call. */
const STALE_MS = 30_000;
const unavailable = () => new AssayError("chain_unavailable", "no node answers");

/** The part of `Chain` that payments use, of one process: answers may be lost, late, unreadable, or of an older block. */
export function createSimulatedNode(scene: Scene, chain: SimulatedChain, owner: Owner): Chain {
  const { timeline, choices, faults, trace } = scene;
  const { token, contract } = chain;

  /** Asks with all that may happen on the way. `behind`: the node has not seen the newest blocks. */
  function ask<T>(
    step: string,
    answer: (height: number, fault: FaultKind | undefined) => T,
    isSend = false,
  ): Promise<T> {
    if (owner.isDead) return never();
    const fault = faults.draw(step, isSend ? SEND_KINDS : READ_KINDS);
    if (fault === "died before") {
      scene.kill(owner);
      return never();
    }
    return new Promise<T>((resolve, reject) => {
      timeline.after(drawDelayMs(choices, fault), undefined, () => {
        let given: T | undefined;
        const isLost = fault === "request lost" && !isSend;
        let failure: unknown = isLost || (chain.isAway() && !isSend) ? unavailable() : undefined;
        try {
          if (!failure)
            given = answer(chain.head() - (fault === "behind" ? choices.integer(1, 4) : 0), fault);
        } catch (error) {
          failure = error;
        }
        if (fault === "answer lost" && !isSend) failure = unavailable();
        trace.note(`${owner.name} ${step} ${failure ? "failed" : ""} ${fault ?? ""}`);
        if (fault === "died after") return scene.kill(owner);
        const settle = () => (failure ? reject(failure) : resolve(given as T));
        if (fault === undefined && choices.chance(0.6) && timeline.claim(owner)) settle();
        else timeline.after(choices.integer(0, 2), owner, settle);
      });
    });
  }

  const isUsedAt = (payer: string, nonce: string, height: number) => {
    const use = token.findUse(payer, nonce);
    return use !== undefined && use.height <= height;
  };

  /** Four fees beside gas that are small, and a price of ether. */
  function readCosts(target: string | undefined): Reading<Hex> | undefined {
    if (target === BASE_MULTICALL3.toLowerCase()) return { status: "value", value: FEES };
    if (target !== ETHER_USD_FEED.toLowerCase()) return undefined;
    const updatedAt = BigInt(Math.floor(timeline.nowMs() / 1000));
    const words = [1n, 3_000n * 10n ** 8n, updatedAt, updatedAt, 1n].map((value) => word(value).slice(2));
    return { status: "value", value: `0x${words.join("")}` };
  }

  function readCall(to: string | null, data: string, height: number): Reading<Hex> {
    const target = to?.toLowerCase();
    const selector = data.slice(0, 10);
    if (target === BATCH_SETTLEMENT.toLowerCase()) {
      if (contract.isView(data as Hex)) return { status: "value", value: contract.view(data as Hex, height) };
      const { timestamp } = chain.header(height + 1);
      return contract.wouldRun(data as Hex, height + 1, timestamp)
        ? { status: "absent" }
        : { status: "reverted", data: null };
    }
    if (target !== token.address)
      return readCosts(target) ?? { status: "unanswered", reason: "not simulated" };
    const account = `0x${data.slice(34, 74)}`;
    if (selector === STATE_CALL)
      return {
        status: "value",
        value: word(isUsedAt(account, `0x${data.slice(74, 138)}`, height) ? 1n : 0n),
      };
    if (selector === BALANCE_CALL) return { status: "value", value: word(token.balanceOf(account)) };
    const authorization = chain.readCall(data);
    const use = authorization && token.findUse(authorization.payer, authorization.nonce);
    const isSeen = use !== undefined && use.height <= height;
    if (!authorization) return { status: "reverted", data: null };
    if (isSeen) return { status: "reverted", data: USED };
    // A node that is behind would still run it.
    const refusal = use ? undefined : token.findRefusal(authorization, chain.header(height + 1).timestamp);
    return refusal ? { status: "reverted", data: null } : { status: "absent" };
  }

  function read(one: ChainRead, height: number): Reading<Hex> {
    if (one.kind === "code") return { status: "absent" };
    if (one.kind === "balance") return { status: "value", value: quantity(10n ** 18n) };
    return one.kind === "call"
      ? readCall(one.to, one.data, height)
      : { status: "unanswered", reason: "not simulated" };
  }

  /** Of several readings one may be missing. */
  const readAll = (step: string, reads: readonly ChainRead[], block?: BlockHeader) =>
    ask(step, (height, fault): Reading<Hex>[] => {
      if (block && !chain.isCanonical(block))
        return reads.map(() => ({ status: "unanswered", reason: "unknown block" }));
      const missing =
        fault === "unanswered" || fault === "garbled" ? choices.integer(0, reads.length - 1) : -1;
      return reads.map((one, i) =>
        i === missing ? { status: "unanswered", reason: "no_answer" } : read(one, block?.number ?? height),
      );
    });

  const logsOf = ({ hash, height, logs }: Mined) =>
    logs.map((log) => ({ ...log, transactionHash: hash, blockNumber: quantity(height) }));
  const receiptOf = (mined: Mined) => ({
    status: mined.status,
    transactionHash: mined.hash,
    blockHash: chain.header(mined.height).hash,
    blockNumber: quantity(mined.height),
    gasUsed: "0x15f90",
    effectiveGasPrice: "0x5b8d80",
    logs: logsOf(mined),
  });

  interface Filter {
    readonly fromBlock: Hex;
    readonly toBlock: Hex;
    readonly topics?: readonly [unknown, string, string];
  }
  function findLogs({ fromBlock, toBlock, topics }: Filter, height: number) {
    const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), height)];
    if (!topics) return from <= to ? chain.listMined(from).flatMap(logsOf) : [];
    const [, payerTopic, nonce] = topics;
    const use = token.findUse(`0x${payerTopic.slice(26)}`, nonce);
    const mined = use && chain.minedBy(use);
    if (!use || !mined || use.height < from || use.height > to) return [];
    return logsOf(mined)
      .filter(({ topics: own }) => own[1] === asTopic(use.payer) && own[2] === use.nonce)
      .slice(0, 1);
  }

  function answer(
    method: string,
    params: readonly unknown[],
    height: number,
    fault: FaultKind | undefined,
  ): unknown {
    if (fault === "garbled") return choices.pick([null, "0x", {}, [{}]]);
    if (fault === "unanswered") throw unavailable();
    switch (method) {
      case "eth_getTransactionCount":
        return quantity(
          params[1] === "pending"
            ? chain.countPending(String(params[0]).toLowerCase())
            : chain.countMined(String(params[0]).toLowerCase(), height),
        );
      case "eth_maxPriorityFeePerGas":
        return "0xf4240";
      case "eth_getTransactionReceipt": {
        const mined = chain.findMined(params[0] as string);
        return mined && mined.height <= height ? receiptOf(mined) : null;
      }
      case "eth_getBlockByHash": {
        const number = Number(`0x${String(params[0]).slice(2, 34)}`);
        const header = chain.header(number);
        if (header.hash !== params[0] || number > height) return null;
        const { timestamp, baseFeePerGas, gasLimit, gasUsed } = header;
        return {
          ...header,
          ...{
            number: quantity(number),
            timestamp: quantity(timestamp),
            baseFeePerGas: quantity(baseFeePerGas ?? 0n),
          },
          ...{ gasLimit: quantity(gasLimit), gasUsed: quantity(gasUsed) },
        };
      }
      case "eth_getBlockReceipts":
        return chain.listMined(Number(params[0])).map(receiptOf);
      case "eth_getLogs":
        return findLogs(params[0] as Filter, height);
      case "eth_call": {
        const [{ to, data }, block] = params as [{ to: string; data: string }, Hex];
        const reading = readCall(to, data, Number(block));
        return reading.status === "value" ? reading.value : "0x";
      }
      default:
        throw new Error(`the simulation does not know ${method}`);
    }
  }

  function submit(raw: Hex, fault: FaultKind | undefined): SendAnswer[] {
    if (fault === "unanswered" || chain.isAway()) return [];
    const submission = fault === "request lost" ? undefined : chain.submit(raw);
    const again = fault === "sent twice" ? chain.submit(raw) : submission;
    trace.note(`sent ${submission} ${again}`);
    if (fault === "request lost" || fault === "answer lost")
      return [{ status: "silent", reason: "no answer" }];
    if (again === "accepted") return [{ status: "accepted" }];
    return [{ status: "error", error: { code: -32000, message: String(again) } }];
  }

  const head = () => {
    const seenAtMs = chain.lastSeenMs();
    return { header: chain.header(chain.headAt(seenAtMs)), seenAtMs };
  };
  const freshHead = () => {
    const found = head();
    if (timeline.nowMs() - found.seenAtMs > STALE_MS)
      throw new AssayError("chain_head_stale", "no node has shown a block for a while");
    return found;
  };
  const part = {
    latestBlock: () => ask("latestBlock", (height) => chain.header(height)),
    readAt: (block: BlockHeader, reads: readonly ChainRead[]) => readAll("readAt", reads, block),
    readLatest: (reads: readonly ChainRead[]) => readAll("readLatest", reads),
    request: (method: string, params: readonly unknown[]) =>
      ask(method, (height, fault) => answer(method, params, height, fault)),
    sendTransaction: (raw: Hex) => ask("sendTransaction", (_height, fault) => submit(raw, fault), true),
    findBlock: (number: number) =>
      ask("findBlock", (height) => (number <= height ? chain.header(number) : undefined)),
    findFinalizedBlock: () => ask("findFinalizedBlock", () => chain.header(chain.finalized())),
    findHead: head,
    getFreshHead: freshHead,
    blockTimeMs: () => 2_000,
  };
  return part as unknown as Chain;
}
