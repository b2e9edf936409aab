import type { PaymentRequired } from "@assay/protocol";
import { buildChallenge, type SaleRequest } from "../challenge.js";
import type { PaymentsContext } from "../paymentsContext.js";
import type { Channel } from "./channelRecords.js";
import { describeChannel } from "./chargeVouchers.js";
import { MISMATCH } from "./checkVoucher.js";

/**
 * A 402 that says what the channel was charged so far, with the payer's own signature over it. A payer who has lost count, or whose
 * answer got lost, signs the next voucher from it. Given only to one who shows a voucher of the channel.
 */
export async function correctChallenge(
  context: PaymentsContext,
  request: SaleRequest,
  channel: Channel,
): Promise<PaymentRequired> {
  const challenge = await buildChallenge(context, request, MISMATCH);
  const { charged, voucherSignature } = channel;
  const state = {
    channelState: describeChannel(channel),
    ...(voucherSignature && {
      voucherState: { signedMaxClaimable: charged.toString(), signature: voucherSignature },
    }),
  };
  const [exact, ...others] = challenge.accepts;
  const corrected = others.map((way) => ({ ...way, extra: { ...way.extra, ...state } }));
  return { ...challenge, accepts: [exact, ...corrected] };
}
