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
  /** When the authorization can no longer be settled. */
  readonly validBefore: string;
  /** Value of the PAYMENT-SIGNATURE header. */
  readonly paymentSignature: string;
}

export type AnyPreparedPayment = PreparedPayment | PreparedPayment<typeof CLAIM_OPENING>;
