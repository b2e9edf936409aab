import {
  AssayError,
  absent,
  encodeHeader,
  encodeReceipt,
  encodeTransaction,
  type Hex,
  type JsonObject,
  type OrderedTrie,
  openHeader,
  type Reading,
  unanswered,
  valueReading,
} from "@assay/protocol";
import { bytesToHex } from "viem";
import { z } from "zod";
import { toNodeFailure } from "./askReadings.js";
import { classifyNodeError } from "./classifyNodeError.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import { BLOCK_TOO_LARGE, type Encode, rebuildList, tryEncode } from "./rebuildList.js";
import type { NoResponse, RpcAnswer } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Ask, type Attempt, type FailedAttempt, type RpcPool, toFailedAttempt } from "./rpcPool.js";
import type { BlockHeader, Chain, Execution, MinedTransaction, ProvenPart } from "./types.js";

/** Receipts that are asked for one by one, where a node does not return all of a block's at once. */
const MAX_SINGLE_RECEIPTS = 500;

const UNKNOWN_BLOCK: FailedAttempt = { ok: false, reason: "unknown_block", next: "await_block" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "retry" };
/** What the node returned is incomplete or does not hash to the header's roots; another node may do better. */
const NOT_REBUILT: FailedAttempt = { ok: false, reason: "not_rebuilt", next: "elsewhere" };

const objects = z.array(z.looseObject({}));
const blockSchema = z.looseObject({ transactions: objects });

/** A block as one node returned it, and which of its lists hash to the roots in its header. */
interface RebuiltBlock {
  readonly block: BlockHeader;
  readonly header: Reading<Hex>;
  readonly transactions: Reading<OrderedTrie>;
  readonly receipts: Reading<OrderedTrie>;
  readonly reportedReceipts: Reading<readonly JsonObject[]>;
}

/** Reads whole blocks and proves their content against the block hash, so that no node has to be trusted. */
export function createExecutions({ pool }: { pool: RpcPool }): Pick<Chain, "readExecution"> {
  const withoutBlockReceipts = new Set<string>();
  const inFlight = new Map<string, Promise<RebuiltBlock>>();

  /** Asks one node after another until one returns the whole block provably; otherwise the most complete answer is used. */
  async function rebuildBlock(mined: MinedTransaction): Promise<RebuiltBlock> {
    const partial: RebuiltBlock[] = [];
    const ask: Ask<MinedTransaction, RebuiltBlock> = async (node, items, timeoutMs) => {
      const attempts: Attempt<RebuiltBlock>[] = [];
      for (const item of items) {
        const rebuilt = await askBlock(withoutBlockReceipts, node, item, timeoutMs);
        if ("ok" in rebuilt) attempts.push(rebuilt);
        else if (mayBeRebuiltElsewhere(rebuilt)) {
          partial.push(rebuilt);
          attempts.push(NOT_REBUILT);
        } else attempts.push({ ok: true, value: rebuilt });
      }
      return attempts;
    };
    const [attempt] = await pool.resolve([mined], ask, () => ({ blockReceipts: true }));
    if (attempt?.ok) return attempt.value;
    const [best] = partial.sort((a, b) => countRebuilt(b) - countRebuilt(a));
    if (best) return best;
    if (attempt?.reason.includes("answer_too_large"))
      throw new AssayError("execution_too_large", "The block of this transaction is too large to read.");
    throw new AssayError(
      "chain_unavailable",
      `No node returned the transaction's block: ${attempt?.reason}.`,
    );
  }

  return {
    async readExecution(mined) {
      // The number is part of the key: nodes may report different numbers for one hash, and each claim is checked by itself.
      const key = `${mined.blockHash} ${mined.blockNumber}`;
      const reading = inFlight.get(key) ?? rebuildBlock(mined).finally(() => inFlight.delete(key));
      inFlight.set(key, reading);
      const { block, header, transactions, receipts, reportedReceipts } = await reading;
      const receipt = provePart(receipts, mined.index, mined.receipt, encodeReceipt);
      const isProven = receipt.proof.status === "value" && reportedReceipts.status === "value";
      return {
        block,
        header,
        transaction: provePart(transactions, mined.index, mined.transaction, encodeTransaction),
        receipt,
        receipts: isProven ? reportedReceipts.value : null,
      } satisfies Execution;
    },
  };
}

/** `withoutBlockReceipts`: labels of nodes that do not offer `eth_getBlockReceipts`. */
async function askBlock(
  withoutBlockReceipts: Set<string>,
  node: RpcNode,
  mined: MinedTransaction,
  timeoutMs: number,
): Promise<RebuiltBlock | FailedAttempt> {
  const deadline = performance.now() + timeoutMs;
  const { blockHash } = mined;
  const [returned, all] = await node.send(
    [
      { method: "eth_getBlockByHash", params: [blockHash, true] },
      ...(withoutBlockReceipts.has(node.label)
        ? []
        : [{ method: "eth_getBlockReceipts", params: [blockHash] }]),
    ],
    { timeoutMs },
  );
  if (all?.kind === "error" && classifyNodeError(all.error) === "unsupported")
    withoutBlockReceipts.add(node.label);
  if (returned === undefined) return MALFORMED;
  if (returned.kind === "no_response") return toFailedAttempt(returned);
  if (returned.kind === "error") return toNodeFailure(returned.error);
  if (returned.result === null) return UNKNOWN_BLOCK;
  const block = parseBlockHeader(returned.result);
  const transactions = blockSchema.safeParse(returned.result).data?.transactions;
  if (block?.hash !== blockHash || block.number !== mined.blockNumber || transactions === undefined)
    return MALFORMED;
  const header = encodeHeader(returned.result, blockHash);
  const hashes = transactions.map(({ hash }) => hash);
  const left = Math.max(1, Math.ceil(deadline - performance.now()));
  const reportedReceipts = readReceipts(all) ?? (await askReceipts(node, mined, hashes, left));
  const roots = header === undefined ? undefined : openHeader(header, blockHash);
  return {
    block,
    header: header === undefined ? absent : valueReading(header),
    transactions: await rebuildList(transactions, encodeTransaction, roots?.transactionsRoot),
    receipts:
      reportedReceipts.status === "value"
        ? await rebuildList(reportedReceipts.value, encodeReceipt, roots?.receiptsRoot)
        : reportedReceipts,
    reportedReceipts,
  };
}

/** Undefined where the node did not return them all at once; null is the answer of a backend that lags behind the one before. */
function readReceipts(all: RpcAnswer | undefined): Reading<JsonObject[]> | undefined {
  if (all?.kind !== "result" || all.result === null) return undefined;
  const receipts = objects.safeParse(all.result).data;
  return receipts ? valueReading(receipts) : unanswered("malformed_answer");
}

async function askReceipts(
  node: RpcNode,
  { hash, blockHash, receipt }: MinedTransaction,
  hashes: readonly unknown[],
  timeoutMs: number,
): Promise<Reading<JsonObject[]>> {
  if (hashes.length > MAX_SINGLE_RECEIPTS) return unanswered("too_many_receipts");
  const requests = hashes
    .filter((other) => other !== hash)
    .map((other) => ({ method: "eth_getTransactionReceipt", params: [other] }));
  const answers = requests.length === 0 ? [] : await node.send(requests, { timeoutMs });
  const others = answers.map((answer) => (answer.kind === "result" ? answer.result : null));
  // The receipt of the transaction in question is known already.
  const results = hashes.map((other) => (other === hash ? receipt : others.shift()));
  const receipts = objects.safeParse(results).data;
  const isOfBlock = ({ blockHash: of }: JsonObject) =>
    typeof of === "string" && of.toLowerCase() === blockHash;
  if (receipts?.every(isOfBlock)) return valueReading(receipts);
  const silent = answers.find(({ kind }) => kind === "no_response") as NoResponse | undefined;
  return unanswered(silent?.reason ?? NOT_REBUILT.reason);
}

/** Whether a list was missing or wrong; one that is too large is so with every node. */
const mayBeRebuiltElsewhere = ({ transactions, receipts }: RebuiltBlock) =>
  [transactions, receipts].some(
    (list) => list.status === "absent" || (list.status === "unanswered" && list.reason !== BLOCK_TOO_LARGE),
  );

const countRebuilt = ({ transactions, receipts }: RebuiltBlock) =>
  [transactions, receipts].filter(({ status }) => status === "value").length;

/** The trie nodes that prove one entry under its root; absent where the list does not hash to that root. */
function provePart(
  list: Reading<OrderedTrie>,
  index: number,
  reported: JsonObject,
  encode: Encode,
): ProvenPart {
  const nodes = list.status === "value" ? list.value.listNodes(index) : [];
  if (nodes.length > 0) return { proof: valueReading(nodes), told: null };
  const entry = tryEncode(reported, encode);
  return {
    proof: list.status === "value" ? absent : list,
    told: entry === undefined ? null : bytesToHex(entry),
  };
}
