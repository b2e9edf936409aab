import {
  type Hex,
  NETWORK,
  type PaymentRequired,
  type PaymentRequirements,
  paymentRequiredSchema,
  paymentRequirementsSchema,
} from "@assay/protocol";
import { decodeHeader } from "./decodeHeader.js";
import { PaymentRefusedError, UnacceptableChallengeError } from "./errors.js";
import { type HttpAnswer, toError, unexpected } from "./exchange.js";

export interface Challenge {
  readonly paymentRequired: PaymentRequired;
  /** The one accepted payment this client will sign. */
  readonly requirements: PaymentRequirements;
}

/** Longer than any service needs, and as long as ours takes: whoever holds a signature can have it paid for so long. */
const LONGEST_VALIDITY_SECONDS = 3600;

const challengeSchema = paymentRequiredSchema.omit({ accepts: true });

/** What a 402 says, in any form of payment. */
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
  return new PaymentRefusedError(readPaymentRequired(answer).rest.error);
}

/**
 * Reads the answer to an unpaid request and picks the payment to make: scheme exact on the one
 * chain, in an asset the caller allows, by EIP-3009. Anything else the service may offer is left alone.
 */
export function readChallenge(answer: HttpAnswer, assets: readonly Hex[]): Challenge {
  if (answer.status !== 402)
    throw answer.status < 400 ? unexpected(answer, "where a 402 was due") : toError(answer);
  const { accepts, rest } = readPaymentRequired(answer);
  // Asked without a payment, the only reason for a 402 is that one is due; a quote can have others.
  if (rest.error !== undefined && rest.error !== "payment_required")
    throw new PaymentRefusedError(rest.error);
  const payable = accepts.flatMap((option) => {
    const parsed = paymentRequirementsSchema.safeParse(option);
    return parsed.success && usesEip3009(parsed.data) ? [parsed.data] : [];
  });
  if (payable.length === 0) {
    throw new UnacceptableChallengeError(
      `The service offers no payment by EIP-3009 under scheme exact on ${NETWORK}.`,
    );
  }
  const allowed = new Set(assets.map((asset) => asset.toLowerCase()));
  const requirements = payable.find(({ asset }) => allowed.has(asset.toLowerCase()));
  if (!requirements) {
    const asked = payable.map(({ asset }) => asset).join(", ");
    throw new UnacceptableChallengeError(
      `The service asks to be paid in ${asked}; this client pays in ${assets.join(", ")}.`,
    );
  }
  if (requirements.maxTimeoutSeconds > LONGEST_VALIDITY_SECONDS) {
    throw new UnacceptableChallengeError(
      `The service asks for a payment that is good for ${requirements.maxTimeoutSeconds} s; this client signs for at most ${LONGEST_VALIDITY_SECONDS} s.`,
    );
  }
  return { paymentRequired: { ...rest, accepts: [requirements] }, requirements };
}

function usesEip3009({ extra }: PaymentRequirements): boolean {
  return extra.assetTransferMethod === undefined || extra.assetTransferMethod === "eip3009";
}
