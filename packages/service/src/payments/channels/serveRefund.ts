import { type ChannelPayment, encodeRefundToSign, NETWORK, type PaymentErrorCode } from "@assay/protocol";
import { notSent, notVerified, outcomeUnknown } from "../paymentErrors.js";
import type { PaymentsContext } from "../paymentsContext.js";
import { encodeClaims, encodeRefund, encodeTogether, readChannels } from "./channelChain.js";
import { findRefundRefusal } from "./channelGas.js";
import {
  type Channel,
  findChannel,
  findChannelByNo,
  leaseChannel,
  recordChainState,
  recordRefunding,
  releaseChannel,
} from "./channelRecords.js";
import { channelUnreadable, describeChannel } from "./chargeVouchers.js";
import { checkVoucher } from "./checkVoucher.js";

/** A claim of one voucher and a transfer of the token. */
const GAS_OF_REFUND = 300_000n;
/** A node behind the one that mined a refund shows it a moment later. */
const SHOWN_AFTER_MS = 5_000;
const POLL_MS = 150;

export type RefundOutcome =
  | { readonly status: "refunded"; readonly paymentResponse: string; readonly channelId: string }
  | { readonly status: "refused"; readonly error: PaymentErrorCode; readonly detail?: string }
  /** The request rests on another charge than ours. */
  | { readonly status: "stale"; readonly channel: Channel };

/**
 * Closes a channel, or lowers it, at its payer's wish: claims what was charged and returns the rest, or as much of it as was asked
 * for, in one transaction. The voucher, over exactly what was charged, shows that the payer's key asks. The money can go to
 * the payer alone.
 */
export async function serveRefund(
  context: PaymentsContext,
  payment: ChannelPayment,
  clientAddress: string,
): Promise<RefundOutcome> {
  const mismatch = checkVoucher(context, payment);
  if (mismatch) return { status: "refused", error: mismatch };
  const { channelId } = payment.payload.voucher;
  const turn = context.channelTurns.run(channelId.toLowerCase(), () =>
    refundInTurn(context, payment, clientAddress),
  );
  return turn ?? { status: "refused", error: "invalid_batch_settlement_evm_channel_busy" };
}

async function refundInTurn(
  context: PaymentsContext,
  { payload }: ChannelPayment,
  clientAddress: string,
): Promise<RefundOutcome> {
  const { database } = context;
  const known = await findChannel(database, payload.voucher.channelId);
  // Of an earlier refund nobody has seen the end: the chain knows whether it was made.
  const channel = known && known.refunding > 0n ? await readAgain(context, known) : known;
  if (!channel) return { status: "refused", error: "invalid_batch_settlement_evm_channel_not_found" };
  if (BigInt(payload.voucher.maxClaimableAmount) !== channel.charged) return { status: "stale", channel };
  const asked =
    payload.type === "refund" && payload.amount !== undefined ? BigInt(payload.amount) : undefined;
  if (asked === 0n) return { status: "refused", error: "invalid_batch_settlement_evm_refund_amount_invalid" };
  const left = channel.balance - channel.charged;
  if (left <= 0n) return { status: "refused", error: "invalid_batch_settlement_evm_refund_no_balance" };
  const amount = asked !== undefined && asked < left ? asked : left;
  const loss = findRefundRefusal(context, amount);
  if (loss)
    return {
      status: "refused",
      error: "invalid_batch_settlement_evm_refund_amount_invalid",
      detail: loss,
    };
  const holder = `refund ${channel.refundNonce}`;
  if (!(await leaseChannel(database, channel, holder)))
    return { status: "refused", error: "invalid_batch_settlement_evm_channel_busy" };
  try {
    await consumeRefund(context, channel, clientAddress);
    return await refund(context, channel, amount);
  } finally {
    await releaseChannel(database, channel, holder);
  }
}

/** Each refund is a transaction that we pay for, and the same voucher can ask for many. */
async function consumeRefund(
  { limits }: PaymentsContext,
  { channelId, config }: Channel,
  clientAddress: string,
): Promise<void> {
  await limits.consume("refund", channelId);
  await limits.consume("refundOf", config.payer.toLowerCase());
  await limits.consume("refundFrom", clientAddress);
}

async function refund(context: PaymentsContext, channel: Channel, amount: bigint): Promise<RefundOutcome> {
  const { channels } = context.facilitator;
  if (!channels) throw notVerified();
  const { signer, database, failpoints } = context;
  const { channelId, config, charged, claimed, refundNonce, voucherSignature } = channel;
  const signature = await signer.signBytes(
    encodeRefundToSign({ channelId, nonce: refundNonce, amount }),
    config.receiverAuthorizer,
  );
  const refundCall = encodeRefund(config, amount, refundNonce, signature);
  const claims =
    charged > claimed && voucherSignature
      ? [await encodeClaims(signer, [{ channelId, config, charged, signature: voucherSignature }])]
      : [];
  // Written down first: a process that dies here leaves a transaction behind, and no voucher may be taken over what it returns.
  const earlier = channel.refunding;
  await recordRefunding(database, channel, amount > earlier ? amount : earlier);
  failpoints.reach("before_refund_sent");
  const outcome = await channels.send(encodeTogether([...claims, refundCall]), GAS_OF_REFUND);
  if (outcome.status === "unknown") throw outcomeUnknown();
  if (outcome.status !== "settled") await recordRefunding(database, channel, earlier);
  if (outcome.status === "not_sent") throw notSent();
  if (outcome.status === "failed") {
    // What is on record may be old.
    await readAgain(context, channel);
    const error = "invalid_batch_settlement_evm_refund_transaction_failed";
    return { status: "refused", error, detail: outcome.reason };
  }
  failpoints.reach("after_refund_sent");
  context.metrics.channelGas.inc({ for: "refund" }, Number(outcome.gasUsed ?? 0n));
  const { transaction } = outcome;
  const state = await readAfter(context, channelId, refundNonce);
  await database.transaction((tx) => recordChainState(tx, channel.channelNo, state, transaction));
  failpoints.reach("after_refund_recorded");
  const response = {
    ...{
      success: true,
      payer: config.payer.toLowerCase(),
      transaction,
      network: NETWORK,
      amount: amount.toString(),
    },
    extra: { channelState: describeChannel({ ...channel, ...state }) },
  };
  const paymentResponse = Buffer.from(JSON.stringify(response)).toString("base64");
  return { status: "refunded", paymentResponse, channelId };
}

/** The channel as the chain shows it now, recorded. */
async function readAgain(
  { chain, database }: PaymentsContext,
  { channelId, channelNo }: Channel,
): Promise<Channel> {
  const [state] = await readChannels(chain, [channelId]);
  if (!state) throw channelUnreadable();
  await database.transaction((tx) => recordChainState(tx, channelNo, state, null));
  return findChannelByNo(database, channelNo);
}

/** The channel after the refund with this nonce. */
async function readAfter({ chain }: PaymentsContext, channelId: string, refundNonce: bigint) {
  for (const deadline = Date.now() + SHOWN_AFTER_MS; ; ) {
    const [state] = await readChannels(chain, [channelId]);
    if (state && state.refundNonce > refundNonce) return state;
    if (Date.now() > deadline) throw channelUnreadable();
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
