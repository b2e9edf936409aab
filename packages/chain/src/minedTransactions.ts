import { AssayError, type Hex, type JsonObject } from "@assay/protocol";
import { z } from "zod";
import { toNodeFailure } from "./askReadings.js";
import { countSchema } from "./parseBlockHeader.js";
import type { RpcAnswer } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Attempt, type FailedAttempt, type RpcPool, toFailedAttempt } from "./rpcPool.js";
import type { MinedTransaction } from "./types.js";

const UNKNOWN: FailedAttempt = { ok: false, reason: "unknown_transaction", next: "elsewhere" };
const PENDING: FailedAttempt = { ok: false, reason: "pending_transaction", next: "elsewhere" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "retry" };
/** The reasons that nodes give for a transaction that is not mined. */
const NOT_MINED = new Set(["unknown_transaction", "pending_transaction"]);

const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((value) => value.toLowerCase() as Hex);
const receiptSchema = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: countSchema,
  transactionIndex: countSchema,
});

/**
 * Asks one node after another until one has the transaction mined: a node that lags does not know it yet. Undefined only where
 * all of them answered and none had it. Throws `chain_unavailable` where one of them did not answer and none had it.
 */
export async function findMined(pool: RpcPool, txHash: Hex): Promise<MinedTransaction | undefined> {
  const [attempt] = await pool.resolve([txHash], askMined);
  if (attempt?.ok) return attempt.value;
  const reasons = attempt?.reason.split(", ") ?? [];
  if (reasons.length > 0 && reasons.every((reason) => NOT_MINED.has(reason))) return undefined;
  throw new AssayError("chain_unavailable", `No node returned the transaction: ${attempt?.reason}.`);
}

async function askMined(
  node: RpcNode,
  hashes: readonly Hex[],
  timeoutMs: number,
): Promise<Attempt<MinedTransaction>[]> {
  const requests = hashes.flatMap((txHash) =>
    ["eth_getTransactionByHash", "eth_getTransactionReceipt"].map((method) => ({ method, params: [txHash] })),
  );
  const answers = await node.send(requests, { timeoutMs });
  return hashes.map((txHash, i) => readMined(txHash, answers[2 * i], answers[2 * i + 1]));
}

function readMined(
  txHash: Hex,
  transaction: RpcAnswer | undefined,
  receipt: RpcAnswer | undefined,
): Attempt<MinedTransaction> {
  for (const answer of [transaction, receipt]) {
    if (answer === undefined) return MALFORMED;
    if (answer.kind === "no_response") return toFailedAttempt(answer);
    if (answer.kind === "error") return toNodeFailure(answer.error);
  }
  const [known, mined] = [transaction, receipt].map((answer) => (answer as { result: unknown }).result);
  if (known === null && mined === null) return UNKNOWN;
  // Known but without a receipt: it is pending, or its block is being replaced.
  if (mined === null) return PENDING;
  const place = receiptSchema.safeParse(mined).data;
  if (place === undefined || place.transactionHash !== txHash || !isObject(known) || !isObject(mined))
    return MALFORMED;
  const { blockHash, blockNumber, transactionIndex } = place;
  const value = {
    hash: txHash,
    blockHash,
    blockNumber,
    index: transactionIndex,
    transaction: known,
    receipt: mined,
  };
  return { ok: true, value };
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;
