import {
  type ChannelRequirements,
  type Hex,
  NETWORK,
  type PaymentRequired,
  type PaymentRequirements,
  paymentRequiredSchema,
  paymentRequirementsSchema,
} from "@assay/protocol";
import { decodeHeader } from "./decodeHeader.js";
import { PaymentRefusedError, UnacceptableChallengeError } from "./errors.js";
import { type HttpAnswer, type Schema, toError, unexpected } from "./exchange.js";

export type AnyRequirements = PaymentRequirements | ChannelRequirements;

export interface Challenge<R extends AnyRequirements = PaymentRequirements> {
  readonly paymentRequired: Omit<PaymentRequired, "accepts"> & { readonly accepts: [R] };
  /** The one payment that this client will sign. */
  readonly requirements: R;
}

/** One way to pay, of those that a challenge may accept. */
export interface WayToPay<R extends AnyRequirements> {
  readonly schema: Schema<R>;
  /** Whether this client can make the payment. */
  readonly isPayable: (requirements: R) => boolean;
  /** For the sentence "The service offers no payment …". */
  readonly words: string;
}

/** The longest validity that our service accepts. Anyone who has a signature can settle it for this long. */
const MAX_VALIDITY_SECONDS = 3600;

const challengeSchema = paymentRequiredSchema.omit({ accepts: true });

/** The challenge of a 402, whatever payments it accepts. */
function readPaymentRequired(answer: HttpAnswer): {
  accepts: unknown[];
  rest: Omit<PaymentRequired, "accepts">;
} {
  const decoded = decodeHeader(answer.headers.get("payment-required"));
  if (decoded === undefined) throw unexpected(answer, "without a readable PAYMENT-REQUIRED header");
  const parsed = challengeSchema.safeParse(decoded);
  const { accepts } = Object(decoded) as { accepts?: unknown };
  if (!parsed.success || !Array.isArray(accepts))
    throw unexpected(answer, "with a challenge that is not x402 version 2");
  const { extensions, error, ...rest } = parsed.data;
  return {
    accepts,
    rest: { ...rest, ...(error !== undefined && { error }), ...(extensions !== undefined && { extensions }) },
  };
}

/** Reads the refusal in a 402 that answers a payment. */
export function readRefusal(answer: HttpAnswer): PaymentRefusedError {
  const { accepts, rest } = readPaymentRequired(answer);
  return new PaymentRefusedError(rest.error, accepts);
}

/** A transfer for this one call. */
const exact: WayToPay<PaymentRequirements> = {
  schema: paymentRequirementsSchema,
  isPayable: usesEip3009,
  words: "by EIP-3009 under scheme exact",
};

/** The challenge of a service whose answers are paid one by one: scheme exact on Base, by EIP-3009. */
export const readChallenge = (answer: HttpAnswer, assets: readonly Hex[]): Challenge =>
  readChallengeFor(exact, answer, assets);

/**
 * Reads the answer to an unpaid request and picks the payment to make: in this way, in an asset that the caller allows.
 * Anything else that the service accepts is ignored.
 */
export function readChallengeFor<R extends AnyRequirements>(
  way: WayToPay<R>,
  answer: HttpAnswer,
  assets: readonly Hex[],
): Challenge<R> {
  if (answer.status !== 402)
    throw answer.status < 400 ? unexpected(answer, "where a 402 was expected") : toError(answer);
  const { accepts, rest } = readPaymentRequired(answer);
  // Without a payment the only reason for a 402 is that one is required; a quote can add other reasons.
  if (rest.error !== undefined && rest.error !== "payment_required")
    throw new PaymentRefusedError(rest.error);
  const payable = accepts.flatMap((option) => {
    const parsed = way.schema.safeParse(option);
    return parsed.success && way.isPayable(parsed.data) ? [parsed.data] : [];
  });
  if (payable.length === 0) {
    throw new UnacceptableChallengeError(`The service offers no payment ${way.words} on ${NETWORK}.`);
  }
  const allowed = new Set(assets.map((asset) => asset.toLowerCase()));
  const requirements = payable.find(({ asset }) => allowed.has(asset.toLowerCase()));
  if (!requirements) {
    const asked = payable.map(({ asset }) => asset).join(", ");
    throw new UnacceptableChallengeError(
      `The service asks to be paid in ${asked}; this client pays in ${assets.join(", ")}.`,
    );
  }
  if (requirements.maxTimeoutSeconds > MAX_VALIDITY_SECONDS) {
    throw new UnacceptableChallengeError(
      `The service asks for a payment that is valid for ${requirements.maxTimeoutSeconds} s; this client signs for at most ${MAX_VALIDITY_SECONDS} s.`,
    );
  }
  return { paymentRequired: { ...rest, accepts: [requirements] }, requirements };
}

export function usesEip3009({ extra }: AnyRequirements): boolean {
  return extra.assetTransferMethod === undefined || extra.assetTransferMethod === "eip3009";
}
