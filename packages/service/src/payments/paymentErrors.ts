import { AssayError } from "@assay/protocol";
import type { EvidenceSigner } from "../evidence/signer.js";

// Each says whether money may have moved, and what to send next.

export const notVerified = () =>
  new AssayError(
    "facilitator_unavailable",
    "The payment could not be verified now. Nothing was charged; retry the same payload.",
  );

/** Worth a retry: gas may become cheaper, or other payments may share the transaction. */
export const belowCost = (reason: string) =>
  new AssayError(
    "facilitator_unavailable",
    `This payment is not settled now: ${reason}. Nothing was charged; retry the same payload later.`,
    { retryAfterSeconds: 30 },
  );

export const notSent = () =>
  new AssayError(
    "facilitator_unavailable",
    "The payment could not be sent to settlement now. Nothing was charged; retry the same payload.",
  );

/** Throws while the key that signs answers certainly does not sign. */
export function verifyCanSign(signer: Pick<EvidenceSigner, "findTrouble">): void {
  if (signer.findTrouble() === undefined) return;
  throw new AssayError(
    "signer_unavailable",
    "The service's key does not sign now. Nothing was charged; retry the same payload.",
    { retryAfterSeconds: 2 },
  );
}

export const lostLease = () =>
  new AssayError(
    "payment_in_flight",
    "Another process took this payment over; retry the same payload to get its answer.",
  );

export const outcomeUnknown = () =>
  new AssayError(
    "payment_outcome_unknown",
    "The payment was sent to settlement and its outcome is not known yet. Retry the same payload; do not sign a new one.",
    { retryAfterSeconds: 3 },
  );

/** Where the money has moved already, such an error must not be given to a caller: it reads like a call that was not charged. */
export const isUnsigned = (error: unknown): boolean =>
  error instanceof AssayError && error.code === "signer_unavailable";

const UNCHARGED: ReadonlySet<string> = new Set([
  "signer_unavailable",
  "chain_unavailable",
  "chain_head_stale",
]);

/** What to say of a payment that may have moved money: never what reads like a call that was not charged. */
export const whereMoneyMayHaveMoved = (error: unknown): unknown =>
  error instanceof AssayError && UNCHARGED.has(error.code) ? outcomeUnknown() : error;
