import { type Hex, voucherDigestOf } from "@assay/protocol";
import { recoverAddress } from "viem";

/** Who signed a voucher of a channel; undefined where the signature is none. */
export const recoverSigner = (
  channelId: string,
  maxClaimableAmount: bigint,
  signature: Hex,
): Promise<Hex | undefined> =>
  recoverAddress({
    hash: voucherDigestOf({ channelId: channelId.toLowerCase(), maxClaimableAmount }),
    signature,
  }).catch(() => undefined);
