import {
  BATCH_SETTLEMENT,
  type Hex,
  hash32Schema,
  type PaymentErrorCode,
  usdFromMicro,
} from "@assay/protocol";
import { isAddressEqual, isHex, pad } from "viem";
import { askNode, type ChainSource } from "../chain/askNode.js";
import type { RequestOptions } from "../connect.js";
import { decodeHeader } from "../decodeHeader.js";
import { NoAccountError, PaymentOutcomeUnknownError, PaymentRefusedError } from "../errors.js";
import { exchange, type HttpAnswer, unexpected } from "../exchange.js";
import { buildInvokeRequest } from "../invokeRequest.js";
import { sendPayment } from "../sendPayment.js";
import type { ChannelContext } from "./channelContext.js";
import { ChannelDisputeError } from "./channelDisputeError.js";
import { type ChannelRecord, countOf } from "./channelRecord.js";
import { explain } from "./payByVoucher.js";
import { readChannelChallenge } from "./readChannelChallenge.js";
import { CORRECTION, readAmount, readCorrection } from "./readCorrection.js";
import { encodePayment, signVoucher } from "./signVoucher.js";

/** A channel that was closed, and what its payer got back. */
export interface ClosedChannel {
  readonly channelId: Hex;
  readonly chargedUsd: number;
  readonly refundedUsd: number;
  /** Null where nothing was left, or an earlier request returned it and its answer got lost. */
  readonly transaction: Hex | null;
  /** `node`: the caller's own node shows the transfer. `service`: only the service says so. */
  readonly shownBy: "node" | "service";
}

const NOTHING_LEFT: PaymentErrorCode = "invalid_batch_settlement_evm_refund_no_balance";

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * Asks for the rest of the channel. The voucher is over exactly what was charged, so it lets the service claim nothing new. Throws
 * ChannelDisputeError where less comes back than the payer counts, and keeps the record then.
 */
export async function closeChannel(
  context: ChannelContext,
  given: ChannelRecord,
  { signal }: RequestOptions,
): Promise<ClosedChannel> {
  const { connection, rules, store } = context;
  const { account, fetch, baseUrl } = connection;
  if (!account) throw new NoAccountError("Closing a channel");
  // Any paid route takes the request.
  const request = buildInvokeRequest(baseUrl, "chain.snapshot", {}, account.address);
  const { requirements } = readChannelChallenge(await exchange(fetch, request, { signal }), rules.assets);
  let record: ChannelRecord = { ...given, isClosing: true };
  await store.write(record);
  for (let isCorrected = false; ; isCorrected = true) {
    const { channelId, charged, signed } = countOf(record);
    const voucher = await signVoucher(account, channelId, charged);
    const prepared = {
      ...({ capabilityId: "chain.snapshot", request, priceUsd: 0, amount: "0" } as const),
      ...{ asset: requirements.asset, payTo: requirements.payTo, payer: account.address },
      authorizationNonce: channelId,
      validBefore: new Date(Date.now() + requirements.maxTimeoutSeconds * 1000).toISOString(),
      paymentSignature: encodePayment(requirements, {
        type: "refund",
        channelConfig: record.config,
        voucher,
      }),
    };
    try {
      const refund = await sendPayment(fetch, prepared, readRefund, { signal });
      return await finish(context, record, refund);
    } catch (error) {
      // No payment is in doubt here: asking once more is safe.
      if (error instanceof PaymentOutcomeUnknownError) throw error.cause;
      if (!(error instanceof PaymentRefusedError)) throw error;
      if (error.code === NOTHING_LEFT) return finishEmpty(context, record, given.isClosing === true);
      if (error.code !== CORRECTION || isCorrected) {
        await store.write(given);
        throw explain(error);
      }
      record = { ...record, charged: `${await readCorrection(error, record, signed)}` };
    }
  }
}

interface Refund {
  readonly transaction: Hex;
  readonly amount: bigint;
}

function readRefund(answer: HttpAnswer): Refund {
  const settled = Object(decodeHeader(answer.headers.get("payment-response"))) as Record<string, unknown>;
  const transaction = hash32Schema.safeParse(settled.transaction).data;
  const amount = readAmount(settled.amount);
  if (!transaction || amount === undefined) throw unexpected(answer, "which does not say what was refunded");
  return { transaction, amount };
}

async function finish(
  { store, node }: ChannelContext,
  record: ChannelRecord,
  { transaction, amount }: Refund,
): Promise<ClosedChannel> {
  const { channelId, charged, deposited } = countOf(record);
  // A deposit in doubt may have been made: then more comes back.
  if (amount < deposited - charged)
    throw new ChannelDisputeError(
      `The service returned ${amount} units in ${transaction}, but ${deposited} were deposited and ${charged} charged.`,
    );
  if (node && !(await isShown(node, record, transaction, amount)))
    throw new ChannelDisputeError(
      `The service says that ${transaction} returned ${amount} units, and the node does not show it.`,
    );
  await store.write(undefined);
  return {
    ...{ channelId, transaction, shownBy: node ? "node" : "service" },
    chargedUsd: usdFromMicro(charged),
    refundedUsd: usdFromMicro(amount),
  };
}

/** Nothing is left: the channel was used up, or an earlier request, whose answer got lost, has returned it. */
async function finishEmpty(
  { store }: ChannelContext,
  record: ChannelRecord,
  wasAsked: boolean,
): Promise<ClosedChannel> {
  const { channelId, charged, deposited } = countOf(record);
  if (deposited > charged && !wasAsked)
    throw new ChannelDisputeError(
      `The service says that nothing is left, but ${deposited} units were deposited and ${charged} charged.`,
    );
  await store.write(undefined);
  return {
    ...{ channelId, transaction: null, shownBy: "service" },
    chargedUsd: usdFromMicro(charged),
    refundedUsd: deposited > charged ? usdFromMicro(deposited - charged) : 0,
  };
}

/** Whether the caller's node shows that the transaction sent so much from the scheme's contract to the payer. */
async function isShown(
  node: ChainSource,
  { config }: ChannelRecord,
  transaction: Hex,
  amount: bigint,
): Promise<boolean> {
  const answer = await askNode(node, { method: "eth_getTransactionReceipt", params: [transaction] });
  const { status, logs } = Object(answer.ok ? answer.result : undefined) as Record<string, unknown>;
  if (status !== "0x1" || !Array.isArray(logs)) return false;
  return logs.some((log: unknown) => {
    const { address, topics, data } = Object(log) as Record<string, unknown>;
    const [event, from, to] = Array.isArray(topics) ? topics : [];
    return (
      isHex(address) &&
      isAddressEqual(address, config.token as Hex) &&
      event === TRANSFER &&
      from === pad(BATCH_SETTLEMENT.toLowerCase() as Hex) &&
      to === pad(config.payer.toLowerCase() as Hex) &&
      isHex(data) &&
      data !== "0x" &&
      BigInt(data) === amount
    );
  });
}
