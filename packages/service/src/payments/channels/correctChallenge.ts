import type { PaymentRequired, Voucher } from "@assay/protocol";
import { buildChallenge, type SaleRequest } from "../challenge.js";
import type { PaymentsContext } from "../paymentsContext.js";
import type { Channel } from "./channelRecords.js";
import { describeChannel } from "./chargeVouchers.js";
import { MISMATCH } from "./checkVoucher.js";

/**
 * A 402 that says what the channel was charged so far, with the payer's own signature over it. A payer who has lost count, or whose
 * answer got lost, signs the next voucher from it. Given only to one who shows a voucher of the channel that no claim has made
 * public: otherwise everybody could follow what a wallet spends, and close its channel with the newest voucher. A payer who is
 * behind the chain reads there what was claimed, as the scheme's clients do, and signs above it.
 */
export async function correctChallenge(
  context: PaymentsContext,
  request: SaleRequest,
  channel: Channel,
  { maxClaimableAmount }: Pick<Voucher, "maxClaimableAmount">,
): Promise<PaymentRequired> {
  const challenge = await buildChallenge(context, request, MISMATCH);
  const { charged, claimed, voucherSignature } = channel;
  // Where all is claimed, the chain shows the newest voucher too.
  if (BigInt(maxClaimableAmount) <= claimed && claimed < charged) return challenge;
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
