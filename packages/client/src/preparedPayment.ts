import type { CapabilityId } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import type { HttpRequest } from "./httpRequest.js";

/** Stands in place of a capability's id in a payment that opens a claim. */
export const CLAIM_OPENING = "claims.open";
type SoldId = CapabilityId | typeof CLAIM_OPENING;

/** A signed payment with the request it pays for. Plain JSON: it can be stored and sent later. */
export interface PreparedPayment<Id extends SoldId = CapabilityId> {
  readonly capabilityId: Id;
  readonly request: HttpRequest;
  readonly priceUsd: number;
  /** Atomic units of `asset`. */
  readonly amount: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly payer: Hex;
  readonly authorizationNonce: string;
  /** When it can no longer be charged: the end of the authorization, or of the offer that a voucher answers. */
  readonly validBefore: string;
  /** Value of the PAYMENT-SIGNATURE header. */
  readonly paymentSignature: string;
  /** The payer's name for this purchase, in the x402 extension payment-identifier; a voucher has none. */
  readonly paymentId?: string | undefined;
  /** Set where a channel pays. */
  readonly voucher?: SentVoucher | undefined;
}

/** A payment from a channel. Amounts in atomic units. */
export interface SentVoucher {
  readonly channelId: Hex;
  /** What the service may claim from the channel in all, also for earlier calls. */
  readonly maxClaimableAmount: string;
  /** What was added to the channel with this call. */
  readonly deposit?: string | undefined;
}

export type AnyPreparedPayment = PreparedPayment | PreparedPayment<typeof CLAIM_OPENING>;
