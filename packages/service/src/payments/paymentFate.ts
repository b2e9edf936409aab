import { RpcError } from "@assay/chain";
import { AssayError, type Hex, mapReading } from "@assay/protocol";
import { z } from "zod";
import type { BaseContext } from "../base/context.js";
import type { Invocation } from "./invocations.js";
import {
  AUTHORIZATION_CANCELED,
  AUTHORIZATION_USED,
  asTopic,
  authorizationStateCall,
  type ExpectedTransfer,
  readTransferLogs,
} from "./settlement/transferCall.js";

const MAX_LOG_SPAN_BLOCKS = 9_000;

const logSchema = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  transactionHash: z.string(),
  blockNumber: z.string(),
  removed: z.boolean().optional(),
});
type Log = z.output<typeof logSchema>;
const receiptSchema = z.object({ status: z.string(), transactionHash: z.string(), logs: z.array(logSchema) });

const wordSchema = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

/** An answer of another form is none: what became of the payment is not known yet, and asking again may show it. */
function readAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new AssayError(
    "chain_unavailable",
    "A node's answer about the payment cannot be read. Retry the same payload; it is charged at most once.",
  );
}

export type PaymentFate =
  | { readonly status: "paid"; readonly transaction: string }
  | { readonly status: "dead"; readonly reason: string }
  /** `isUnused`: the token has not seen the authorization, which is still valid. */
  | { readonly status: "undecided"; readonly reason: string; readonly isUnused?: true };

const stateCallOf = ({ asset, payer, authorizationNonce }: Invocation) =>
  authorizationStateCall(asset, payer, authorizationNonce);

/** Whether the token counts the nonce as spent or cancelled now; undefined when no node answered. */
export async function isAuthorizationUsed(
  context: BaseContext,
  invocation: Invocation,
): Promise<boolean | undefined> {
  const [state] = await context.chain.readLatest([stateCallOf(invocation)]);
  return state.status === "value" ? BigInt(state.value) !== 0n : undefined;
}

/** What became of an authorization, by the chain alone. */
export async function readPaymentFate(context: BaseContext, invocation: Invocation): Promise<PaymentFate> {
  const { chain } = context;
  const block = await chain.latestBlock();
  const call = stateCallOf(invocation);
  const [state] = await chain.readAt(block, [call]);
  const used = mapReading(state, (word) => BigInt(word) !== 0n);
  if (used.status !== "value") return { status: "undecided", reason: `authorizationState ${used.status}` };
  return used.value ? readUse(context, invocation, block.number) : readExpiry(context, invocation, call);
}

/** The nonce is spent or cancelled: find the event, and for a use, the transfer beside it. */
async function readUse(
  context: BaseContext,
  invocation: Invocation,
  headBlock: number,
): Promise<PaymentFate> {
  // An earlier use paid for something else, perhaps at another service with the same payee.
  let fromBlock = invocation.reservedAtBlock + 1;
  for (; fromBlock <= headBlock; fromBlock += MAX_LOG_SPAN_BLOCKS) {
    const toBlock = Math.min(headBlock, fromBlock + MAX_LOG_SPAN_BLOCKS - 1);
    for (const log of await listUses(context, invocation, fromBlock, toBlock)) {
      if (log.removed) continue;
      if (log.topics[0] === AUTHORIZATION_CANCELED)
        return { status: "dead", reason: "authorization cancelled by the payer" };
      return readTransaction(context, invocation, log);
    }
  }
  return readUnseenUse(context, invocation, headBlock);
}

/** Events about the nonce in these blocks. A node that searches fewer blocks at once is asked about the one that matters. */
async function listUses(
  context: BaseContext,
  invocation: Invocation,
  fromBlock: number,
  toBlock: number,
): Promise<Log[]> {
  const search = async (from: number, to: number) =>
    readAnswer(
      z.array(logSchema),
      await context.chain.request("eth_getLogs", [
        {
          address: invocation.asset,
          fromBlock: toHex(from),
          toBlock: toHex(to),
          topics: [
            [AUTHORIZATION_USED, AUTHORIZATION_CANCELED],
            asTopic(invocation.payer),
            invocation.authorizationNonce,
          ],
        },
      ]),
    );
  try {
    return await search(fromBlock, toBlock);
  } catch (error) {
    if (!(error instanceof RpcError) || fromBlock === toBlock) throw error;
    const block = await findFirstUsed(context, invocation, fromBlock, toBlock);
    return search(block, block);
  }
}

/** The first block after which the token counts the nonce as used; it does so after `to`. A dozen questions, whatever the span. */
async function findFirstUsed(
  { chain }: BaseContext,
  invocation: Invocation,
  from: number,
  to: number,
): Promise<number> {
  const { to: token, data } = stateCallOf(invocation);
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const state = readAnswer(
      wordSchema,
      await chain.request("eth_call", [{ to: token, data }, toHex(middle)]),
    );
    if (BigInt(state) === 0n) from = middle + 1;
    else to = middle;
  }
  return from;
}

const toHex = (block: number): Hex => `0x${block.toString(16)}`;

/**
 * Used, but no log since this call was reserved shows where. Logs of fresh blocks may be missing for a while, and some nodes find none
 * for ever. The state at the block of the reservation shows whether the use is an older one, which paid for nothing here.
 */
async function readUnseenUse(
  context: BaseContext,
  invocation: Invocation,
  headBlock: number,
): Promise<PaymentFate> {
  const { chain } = context;
  const undecided = { status: "undecided", reason: "authorization is used but no node shows where" } as const;
  const reserved = await chain.findBlock(invocation.reservedAtBlock);
  const [state] = reserved ? await chain.readAt(reserved, [stateCallOf(invocation)]) : [];
  if (state?.status !== "value") return undecided;
  if (BigInt(state.value) === 0n)
    return (await readUseInReceipts(context, invocation, headBlock).catch(() => undefined)) ?? undecided;
  const finalized = await chain.findFinalizedBlock();
  const isFinal = finalized && finalized.number >= invocation.reservedAtBlock;
  return isFinal ? { status: "dead", reason: "the nonce was used before this call" } : undecided;
}

/** The receipts of the first block after which the nonce is used hold what a search for its event should have found. */
async function readUseInReceipts(
  context: BaseContext,
  invocation: Invocation,
  headBlock: number,
): Promise<PaymentFate | undefined> {
  const block = await findFirstUsed(context, invocation, invocation.reservedAtBlock + 1, headBlock);
  const answer = await context.chain.request("eth_getBlockReceipts", [toHex(block)]);
  const receipts = readAnswer(z.array(receiptSchema), answer);
  const user = receipts.find(({ logs }) => readTransferLogs(logs, transferOf(invocation)) !== "unused");
  return user && judgeReceipt(user, invocation);
}

/** The transfer that the token must show for this call to be paid. */
export const transferOf = (invocation: Invocation): ExpectedTransfer => ({
  token: invocation.asset,
  payer: invocation.payer,
  payTo: invocation.payTo,
  amount: invocation.amount,
  nonce: invocation.authorizationNonce,
});

/** Paid means: one successful transaction holds both the use of the nonce and the transfer to us. */
async function readTransaction(
  context: BaseContext,
  invocation: Invocation,
  { transactionHash, blockNumber }: Log,
): Promise<PaymentFate> {
  const { chain } = context;
  const found = await chain.request("eth_getTransactionReceipt", [transactionHash]);
  const receipt = readAnswer(receiptSchema.nullable(), found);
  if (receipt) return judgeReceipt(receipt, invocation);
  // Some nodes have receipts late, or never. What failed left no events.
  const filter = { address: invocation.asset, fromBlock: blockNumber, toBlock: blockNumber };
  const logs = readAnswer(z.array(logSchema), await chain.request("eth_getLogs", [filter]));
  const own = logs.filter((log) => log.transactionHash === transactionHash && !log.removed);
  return judgeReceipt({ status: "0x1", transactionHash, logs: own }, invocation);
}

function judgeReceipt(receipt: z.output<typeof receiptSchema>, invocation: Invocation): PaymentFate {
  if (receipt.status !== "0x1") return { status: "undecided", reason: "transaction reverted" };
  const use = readTransferLogs(receipt.logs, transferOf(invocation));
  if (use === "unused") return { status: "undecided", reason: "transaction does not use this authorization" };
  if (use === "other_use") return { status: "dead", reason: "the nonce was used for another transfer" };
  return { status: "paid", transaction: receipt.transactionHash.toLowerCase() };
}

/** Unused so far. Dead only once a finalized block is past its validity and still shows it unused. */
async function readExpiry(
  context: BaseContext,
  invocation: Invocation,
  call: { kind: "call"; to: Hex; data: Hex },
): Promise<PaymentFate> {
  const finalized = await context.chain.findFinalizedBlock();
  if (!finalized || BigInt(finalized.timestamp) <= invocation.validBefore) {
    const reason = "authorization is unused and may still be used";
    return { status: "undecided", reason, isUnused: true };
  }
  const [state] = await context.chain.readAt(finalized, [call]);
  if (state.status === "value" && BigInt(state.value) === 0n)
    return { status: "dead", reason: "authorization expired unused" };
  return { status: "undecided", reason: "finalized state of the authorization is not readable" };
}
