import type {
  CapabilityFindings,
  CapabilityHighlights,
  CapabilityId,
  CapabilityInput,
  CapabilityReadings,
} from "@assay/capabilities";
import type { CapabilityResult } from "@assay/protocol";
import type { CapabilityArguments } from "./capabilityArguments.js";
import type { RequestOptions } from "./connect.js";
import type { SentVoucher } from "./preparedPayment.js";
import type { Settlement } from "./readSettlement.js";
import type { SendOptions } from "./sendPayment.js";
import type { Verification } from "./verification.js";

/** An answer with the types of this capability's input, readings and findings. */
export type ResultOf<Id extends CapabilityId> = {
  readonly [One in Id]: CapabilityResult & {
    readonly capabilityId: One;
    readonly result: {
      readonly evidence: {
        readonly input: CapabilityInput<One>;
        readonly readings: CapabilityReadings[One];
        readonly findings: CapabilityFindings[One];
      } & CapabilityHighlights[One];
    };
  };
}[Id];

export interface PaidAnswer<Id extends CapabilityId = CapabilityId> {
  /** The decision contract. */
  readonly answer: ResultOf<Id>;
  /** What the PAYMENT-RESPONSE header says about the transaction; null when the service sent none. */
  readonly settlement: Settlement | null;
  /** Set where a channel paid; then `settlement` is null, because no transaction did. */
  readonly voucher?: SentVoucher | undefined;
  /** The body as received: save these bytes to verify them later. */
  readonly rawBody: Uint8Array;
}

export interface PrepareOptions extends RequestOptions {
  readonly maxPriceUsd?: number | undefined;
  /**
   * Your name for this purchase, 16 to 128 letters, digits, `-` and `_`; by default a new one for each call, the same for all its
   * attempts. A name buys once per wallet: used again after it was charged, it is refused with 409 instead of a second charge.
   * Channels take no name: a voucher that arrives twice is one call.
   */
  readonly paymentId?: string | undefined;
}
export interface CallOptions extends PrepareOptions, SendOptions {
  /**
   * False pays the plain challenge: one request less, but without credit. By default a quote is used unless the input is
   * too long for a quote's URL.
   */
  readonly useQuote?: boolean | undefined;
}

/** An answer of which every step of the verification passed, or had nothing to check. */
export interface VerifiedAnswer<Id extends CapabilityId = CapabilityId> extends PaidAnswer<Id> {
  /** `conclusion` is `verified` where the signer was known beforehand, else `self_consistent`. */
  readonly verification: Verification;
}

/** Asks a capability, pays and returns the answer as it came. */
export type CallUnverified = <Id extends CapabilityId>(
  id: Id,
  input: CapabilityArguments<Id>,
  options?: CallOptions,
) => Promise<PaidAnswer<Id>>;
