import type { Chain } from "@assay/chain";
import { parseBlockHeader } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { z } from "zod";
import type { SettleOutcome } from "../facilitator.js";
import type { WaitingDelivery } from "./delivery.js";
import { authorizationStateCall, type ExpectedTransfer, readTransferLogs } from "./transferCall.js";

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(BigInt);
const receiptSchema = z.object({
  status: z.enum(["0x0", "0x1"]),
  transactionHash: z.string(),
  blockHash: z.string(),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  /** Of OP Stack chains: wei for the data on L1. */
  l1Fee: quantity.optional().catch(undefined),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});
/** Gas was used, and the authorization was not. */
export const REFUSED_BY_TOKEN = "the token refused the transfer";

/** What the chain reports about a settlement transaction. */
export type SettlementReceipt = z.infer<typeof receiptSchema>;

/** The receipt of the one of these transactions that was mined, and is wanted; the newest is asked for first. */
export async function findSettlementReceipt(
  chain: Chain,
  hashes: readonly Hex[],
  isWanted: (receipt: SettlementReceipt) => boolean = () => true,
): Promise<SettlementReceipt | undefined> {
  for (const hash of hashes.toReversed()) {
    const found = await chain.request("eth_getTransactionReceipt", [hash]).catch(() => null);
    // Most polls: it is not mined yet.
    if (found === null) continue;
    const receipt = receiptSchema.safeParse(found);
    if (receipt.success && isWanted(receipt.data)) return receipt.data;
  }
  return undefined;
}

/** A delivery whose success an authorization shows. */
type WaitingTransfer = WaitingDelivery & { readonly expected: ExpectedTransfer };

const isTransfer = (item: WaitingDelivery): item is WaitingTransfer => item.expected !== null;

/** Answers each delivery from the receipt, with what it cost, and returns those that deserve another transaction, alone. */
export async function answerDeliveries(
  chain: Chain,
  sender: Hex,
  receipt: SettlementReceipt,
  items: readonly WaitingDelivery[],
  costMicroUsd: bigint | undefined,
): Promise<WaitingDelivery[]> {
  const { gasUsed } = receipt;
  const logs = receipt.status === "0x1" ? receipt.logs : [];
  const unpaid = items.flatMap((item): WaitingTransfer[] => {
    const isDone = item.expected
      ? readTransferLogs(logs, item.expected) === "paid"
      : receipt.status === "0x1";
    const transaction = receipt.transactionHash.toLowerCase();
    const gasShare = gasUsed / BigInt(items.length);
    if (isDone) item.answer({ status: "settled", transaction, costMicroUsd, gasUsed, gasShare });
    else if (!item.expected) item.answer({ status: "failed", reason: "the call reverted", gasUsed });
    return isTransfer(item) && !item.isAnswered() ? [item] : [];
  });
  if (unpaid.length === 0) return [];
  const unused = await findUnused(chain, receipt, unpaid);
  for (const item of unpaid) if (!unused.has(item)) item.answer(await readEarlierUse(chain, item));
  const again = items.length > 1 ? await findPayable(chain, sender, [...unused]) : [];
  const ownGas = items.length === 1 ? gasUsed : undefined;
  for (const item of unused) {
    if (!again.includes(item)) item.answer({ status: "failed", reason: REFUSED_BY_TOKEN, gasUsed: ownGas });
  }
  return again;
}

/** Used, and not by this transaction: by an earlier one of ours that carried it, or only the chain's history shows by which. */
async function readEarlierUse(chain: Chain, { carriers, expected }: WaitingTransfer): Promise<SettleOutcome> {
  const receipt = await findSettlementReceipt(
    chain,
    [...carriers],
    ({ status, logs }) => status === "0x1" && readTransferLogs(logs, expected) === "paid",
  );
  return receipt
    ? { status: "settled", transaction: receipt.transactionHash.toLowerCase() }
    : { status: "unknown", reason: "authorization already used" };
}

/**
 * Whether the token counts one of the authorizations as used, or no node says. Then a transaction that carries them again would
 * only cost gas.
 */
export async function mayBeUsed(chain: Chain, items: readonly WaitingDelivery[]): Promise<boolean> {
  const open = items.filter((item) => isTransfer(item) && !item.isAnswered()) as readonly WaitingTransfer[];
  const states = await chain.readLatest(
    open.map(({ expected }) => authorizationStateCall(expected.token, expected.payer, expected.nonce)),
  );
  return states.some((state) => state.status !== "value" || BigInt(state.value) !== 0n);
}

/**
 * Those the token counts as unused after the very block of the receipt: a node that lags behind it
 * would call a nonce unused that somebody else has just spent. What became of a used one, only the chain's history shows.
 */
async function findUnused(
  chain: Chain,
  receipt: SettlementReceipt,
  items: readonly WaitingTransfer[],
): Promise<Set<WaitingTransfer>> {
  try {
    const block = parseBlockHeader(await chain.request("eth_getBlockByHash", [receipt.blockHash, false]));
    if (!block) return new Set();
    const states = await chain.readAt(
      block,
      items.map(({ expected }) => authorizationStateCall(expected.token, expected.payer, expected.nonce)),
    );
    return new Set(
      items.filter((_, i) => {
        const state = states[i];
        return state?.status === "value" && BigInt(state.value) === 0n;
      }),
    );
  } catch {
    return new Set();
  }
}

/**
 * In a batch the code of another payer may have used up the gas. Payers without code whose transfer would succeed now
 * did not fail by themselves. A payer that has code by now is not tried again: its code may have used the gas.
 */
async function findPayable(
  chain: Chain,
  sender: Hex,
  items: readonly WaitingTransfer[],
): Promise<WaitingTransfer[]> {
  try {
    const codes = await chain.readLatest(
      items.map(({ expected }) => ({ kind: "code", address: expected.payer as Hex }) as const),
    );
    const plain = items.filter((_, i) => codes[i]?.status === "absent");
    const transfers = await chain.readLatest(
      plain.map(({ call, to }) => ({ kind: "call", from: sender, to, data: call }) as const),
    );
    return plain.filter((_, i) => transfers[i]?.status === "absent");
  } catch {
    return [];
  }
}
