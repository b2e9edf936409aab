import {
  type ChannelPayment,
  channelIdOf,
  MAX_WITHDRAW_DELAY_SECONDS,
  MIN_WITHDRAW_DELAY_SECONDS,
  type PaymentErrorCode,
} from "@assay/protocol";
import type { Settings } from "../../base/settings.js";
import type { PayerSignatures } from "../authorizationSignature.js";
import type { Channel } from "./channelRecords.js";

type ChannelError = Extract<PaymentErrorCode, `invalid_batch_settlement_evm_${string}`>;

export const MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch" satisfies ChannelError;

interface VoucherContext {
  readonly settings: Pick<Settings, "payTo" | "stablecoin" | "channels">;
  readonly payerSignatures: Pick<PayerSignatures, "isVoucherByKey">;
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/**
 * What can be refused without database or chain: a channel that is not made as we ask, or a voucher that its payer's key did not
 * sign. Vouchers of contract wallets (a zero `payerAuthorizer`, ERC-1271) are refused: the wallet could change its mind before
 * the claim.
 */
export function checkVoucher(
  { settings, payerSignatures }: VoucherContext,
  { payload }: Pick<ChannelPayment, "payload">,
): ChannelError | undefined {
  const { channelConfig: config, voucher } = payload;
  const { channels, payTo, stablecoin } = settings;
  if (config.withdrawDelay > MAX_WITHDRAW_DELAY_SECONDS || config.withdrawDelay < MIN_WITHDRAW_DELAY_SECONDS)
    return "invalid_batch_settlement_evm_withdraw_delay_out_of_range";
  if (!isSame(channelIdOf(config), voucher.channelId))
    return "invalid_batch_settlement_evm_channel_id_mismatch";
  if (!isSame(config.receiver, payTo)) return "invalid_batch_settlement_evm_receiver_mismatch";
  const ourKeys = channels ? [channels.receiverAuthorizer, ...channels.formerAuthorizers] : [];
  if (!channels || !ourKeys.some((key) => isSame(config.receiverAuthorizer, key)))
    return "invalid_batch_settlement_evm_receiver_authorizer_mismatch";
  if (!isSame(config.token, stablecoin.address)) return "invalid_batch_settlement_evm_token_mismatch";
  if (config.withdrawDelay !== channels.withdrawDelaySeconds)
    return "invalid_batch_settlement_evm_withdraw_delay_mismatch";
  return payerSignatures.isVoucherByKey(payload)
    ? undefined
    : "invalid_batch_settlement_evm_voucher_signature";
}

type Funds = Pick<Channel, "balance" | "withdrawing" | "refunding">;

/** What the channel may be charged in all. What its payer is withdrawing or gets back counts as gone. */
export const usableOf = ({ balance, withdrawing, refunding }: Funds): bigint =>
  balance - withdrawing - refunding;

/** Whether a voucher over this much is the channel's next one at this price, and covered by what the chain last showed. */
export function checkNext(
  channel: Pick<Channel, "charged"> & Funds,
  ceiling: bigint,
  price: bigint,
): ChannelError | undefined {
  if (ceiling !== channel.charged + price) return MISMATCH;
  return ceiling > usableOf(channel) ? "invalid_batch_settlement_evm_cumulative_exceeds_balance" : undefined;
}
