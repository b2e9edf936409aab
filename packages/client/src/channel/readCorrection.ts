import { CHANNEL_SCHEME } from "@assay/protocol";
import { isAddressEqual, isHex } from "viem";
import type { PaymentRefusedError } from "../errors.js";
import { recoverSigner } from "../recoverSigner.js";
import { ChannelDisputeError } from "./channelDisputeError.js";
import { type ChannelRecord, countOf } from "./channelRecord.js";

/** The refusal of a voucher that does not add to what the service says it charged. */
export const CORRECTION = "invalid_batch_settlement_evm_cumulative_amount_mismatch";

/**
 * What the channel was charged so far, as the service states it in a corrective 402. Believed only with the payer's own signature
 * over it, and only up to `signedBefore`, what had been signed before this call: the answer to a voucher cannot show that the
 * same voucher was used up. So each call raises what the service can claim by its own price and no more, whatever is stated.
 * Throws ChannelDisputeError otherwise.
 */
export async function readCorrection(
  refusal: PaymentRefusedError,
  record: ChannelRecord,
  signedBefore: bigint,
): Promise<bigint> {
  const { channelId } = countOf(record);
  const { channelState, voucherState } = findStates(refusal.accepts);
  const stated = readAmount(channelState.chargedCumulativeAmount);
  if (stated === undefined || String(channelState.channelId).toLowerCase() !== channelId)
    throw new ChannelDisputeError("The service does not say what it charged this channel.");
  // A channel that was never charged has no voucher.
  if (stated === 0n) return stated;
  const { signature, signedMaxClaimable } = voucherState;
  const signer =
    readAmount(signedMaxClaimable) === stated && isHex(signature)
      ? await recoverSigner(channelId, stated, signature)
      : undefined;
  if (!signer || !isAddressEqual(signer, record.config.payerAuthorizer))
    throw new ChannelDisputeError(
      `The service says that it charged ${stated} units, and does not show the payer's signature over that.`,
    );
  if (stated > signedBefore)
    throw new ChannelDisputeError(
      `The service says that it charged ${stated} units, but only ${signedBefore} were signed before this call.`,
    );
  return stated;
}

type Fields = Readonly<Record<string, unknown>>;

function findStates(accepts: readonly unknown[]): { channelState: Fields; voucherState: Fields } {
  const way = accepts
    .map((option) => Object(option) as Fields)
    .find(({ scheme }) => scheme === CHANNEL_SCHEME);
  const { channelState, voucherState } = Object(way?.extra) as Fields;
  return { channelState: Object(channelState), voucherState: Object(voucherState) };
}

export const readAmount = (value: unknown): bigint | undefined =>
  typeof value === "string" && /^[0-9]{1,39}$/.test(value) ? BigInt(value) : undefined;
