import {
  AssayError,
  absent,
  buildOrderedTrie,
  EncodingError,
  encodeHeader,
  encodeReceipt,
  encodeTransaction,
  type Hex,
  type JsonObject,
  openHeader,
  type Reading,
  unanswered,
  valueReading,
} from "@assay/protocol";
import { bytesToHex } from "viem";
import { z } from "zod";
import { classifyNodeError } from "./classifyNodeError.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import type { RpcAnswer } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Ask, type Attempt, type FailedAttempt, failedBy, type RpcPool } from "./rpcPool.js";
import type { Chain, Execution, MinedTransaction, ProvenPart } from "./types.js";

/** Blocks of more are not rebuilt: Base's hold a few hundred, and somebody waits while everything is hashed. */
export const MAX_BLOCK_TRANSACTIONS = 2_000;
/** Of each list of a block; to encode and hash so much takes half a second, in which nobody else is served. */
const MAX_BLOCK_BYTES = 2 * 1024 * 1024;
/** Asked for one by one, where a node does not give all of a block's receipts at once. */
const MAX_SINGLE_RECEIPTS = 500;

const UNKNOWN_BLOCK: FailedAttempt = { ok: false, reason: "unknown_block", next: "retry" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "retry" };
/** What the node told does not hash to what the header says; another node may tell the truth. */
const ROOTS_DIFFER: FailedAttempt = { ok: false, reason: "roots_differ", next: "elsewhere" };
const TOO_LARGE = unanswered("block_too_large");

const objects = z.array(z.looseObject({}));
const blockSchema = z.looseObject({ transactions: objects });

/** Reads blocks whole and proves what is in them to their own hash, so that no node has to be believed. */
export function createExecutions({ pool }: { pool: RpcPool }): Pick<Chain, "readExecution"> {
  /** Labels of nodes that do not offer `eth_getBlockReceipts`. */
  const withoutBlockReceipts = new Set<string>();
  const inFlight = new Map<Hex, Promise<Execution>>();

  async function askReceipts(
    node: RpcNode,
    { hash, blockHash, receipt }: MinedTransaction,
    hashes: readonly unknown[],
    all: RpcAnswer | undefined,
    timeoutMs: number,
  ): Promise<Reading<JsonObject[]>> {
    if (all?.kind === "result") {
      const receipts = objects.safeParse(all.result).data;
      return receipts ? valueReading(receipts) : unanswered("malformed_answer");
    }
    if (all?.kind === "error" && classifyNodeError(all.error) === "unsupported")
      withoutBlockReceipts.add(node.label);
    if (hashes.length > MAX_SINGLE_RECEIPTS) return TOO_LARGE;
    const requests = hashes
      .filter((other) => other !== hash)
      .map((other) => ({ method: "eth_getTransactionReceipt", params: [other] }));
    const answers = requests.length === 0 ? [] : await node.send(requests, { timeoutMs });
    const others = answers.map((answer) => (answer.kind === "result" ? answer.result : null));
    // The one that is asked about was told before.
    const results = hashes.map((other) => (other === hash ? receipt : others.shift()));
    const receipts = objects.safeParse(results).data;
    const isOfBlock = ({ blockHash: of }: JsonObject) =>
      typeof of === "string" && of.toLowerCase() === blockHash;
    return receipts?.every(isOfBlock) ? valueReading(receipts) : unanswered("no_answer");
  }

  /** `isLast`: nobody else will be asked, so what is not proven is told as it is. */
  const askExecution =
    (isLast: boolean): Ask<MinedTransaction, Execution> =>
    async (node, items, timeoutMs) => {
      const attempts: Attempt<Execution>[] = [];
      for (const mined of items) attempts.push(await askOne(node, mined, timeoutMs, isLast));
      return attempts;
    };

  async function askOne(
    node: RpcNode,
    mined: MinedTransaction,
    timeoutMs: number,
    isLast: boolean,
  ): Promise<Attempt<Execution>> {
    const deadline = performance.now() + timeoutMs;
    const { blockHash } = mined;
    const [given, all] = await node.send(
      [
        { method: "eth_getBlockByHash", params: [blockHash, true] },
        ...(withoutBlockReceipts.has(node.label)
          ? []
          : [{ method: "eth_getBlockReceipts", params: [blockHash] }]),
      ],
      { timeoutMs },
    );
    if (given === undefined) return MALFORMED;
    if (given.kind === "silence") return failedBy(given);
    if (given.kind === "error")
      return { ok: false, reason: `node_error_${given.error.code}`, next: "elsewhere" };
    if (given.result === null) return UNKNOWN_BLOCK;
    const block = parseBlockHeader(given.result);
    const transactions = blockSchema.safeParse(given.result).data?.transactions;
    if (block?.hash !== blockHash || block.number !== mined.blockNumber || transactions === undefined)
      return MALFORMED;
    const header = encodeHeader(given.result, blockHash);
    const hashes = transactions.map(({ hash }) => hash);
    const left = Math.max(1, Math.ceil(deadline - performance.now()));
    const receipts = await askReceipts(node, mined, hashes, all, left);
    const roots = header === undefined ? undefined : openHeader(header, blockHash);
    const transaction = provePart(
      valueReading(transactions),
      mined,
      encodeTransaction,
      roots?.transactionsRoot,
    );
    const receipt = provePart(receipts, mined, encodeReceipt, roots?.receiptsRoot);
    const isProven = [transaction, receipt].every(({ proof }) => proof.status !== "absent");
    if (!isLast && !isProven) return ROOTS_DIFFER;
    const execution: Execution = {
      block,
      header: header === undefined ? absent : valueReading(header),
      transaction,
      receipt,
      receipts: receipt.proof.status === "value" && receipts.status === "value" ? receipts.value : null,
    };
    return { ok: true, value: execution };
  }

  async function read(mined: MinedTransaction): Promise<Execution> {
    const [first] = await pool.resolve([mined], askExecution(false));
    if (first?.ok) return first.value;
    const isDoubted = first?.reason.split(", ").includes(ROOTS_DIFFER.reason);
    const [attempt] = isDoubted ? await pool.resolve([mined], askExecution(true)) : [first];
    if (attempt?.ok) return attempt.value;
    if (attempt?.reason.includes("answer_too_large"))
      throw new AssayError("execution_too_large", "The block of this transaction is too large to be read.");
    throw new AssayError("chain_unavailable", `No node gave the transaction's block: ${attempt?.reason}.`);
  }

  return {
    readExecution(mined) {
      const known = inFlight.get(mined.hash);
      if (known) return known;
      const reading = read(mined).finally(() => inFlight.delete(mined.hash));
      inFlight.set(mined.hash, reading);
      return reading;
    },
  };
}

/** The nodes that show one entry of a list under its root; absent where the list does not make that root. */
function provePart(
  list: Reading<readonly JsonObject[]>,
  { index, receipt, transaction }: MinedTransaction,
  encode: (told: JsonObject) => Uint8Array,
  root: Hex | undefined,
): ProvenPart {
  const unproven = (proof: ProvenPart["proof"]): ProvenPart => {
    const [entry] = tryEncode([encode === encodeReceipt ? receipt : transaction], encode) ?? [];
    return { proof, told: entry === undefined ? null : bytesToHex(entry) };
  };
  if (list.status !== "value") return unproven(list);
  if (list.value.length > MAX_BLOCK_TRANSACTIONS) return unproven(TOO_LARGE);
  const entries = root === undefined ? undefined : tryEncode(list.value, encode);
  if (entries === undefined) return unproven(absent);
  if (entries.reduce((sum, entry) => sum + entry.length, 0) > MAX_BLOCK_BYTES) return unproven(TOO_LARGE);
  const trie = buildOrderedTrie(entries);
  const nodes = trie.root === root ? trie.listNodes(index) : [];
  return nodes.length === 0 ? unproven(absent) : { proof: valueReading(nodes), told: null };
}

/** Undefined where one of them is of a form that is not known. */
function tryEncode(
  list: readonly JsonObject[],
  encode: (told: JsonObject) => Uint8Array,
): Uint8Array[] | undefined {
  try {
    return list.map(encode);
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}
