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
  /** The one payment that this client will sign. */
  readonly requirements: PaymentRequirements;
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
  return new PaymentRefusedError(readPaymentRequired(answer).rest.error);
}

/**
 * Reads the answer to an unpaid request and picks the payment to make: scheme exact on Base, in an asset that the caller
 * allows, by EIP-3009. Anything else that the service accepts is ignored.
 */
export function readChallenge(answer: HttpAnswer, assets: readonly Hex[]): Challenge {
  if (answer.status !== 402)
    throw answer.status < 400 ? unexpected(answer, "where a 402 was expected") : toError(answer);
  const { accepts, rest } = readPaymentRequired(answer);
  // Without a payment the only reason for a 402 is that one is required; a quote can add other reasons.
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
  if (requirements.maxTimeoutSeconds > MAX_VALIDITY_SECONDS) {
    throw new UnacceptableChallengeError(
      `The service asks for a payment that is valid for ${requirements.maxTimeoutSeconds} s; this client signs for at most ${MAX_VALIDITY_SECONDS} s.`,
    );
  }
  return { paymentRequired: { ...rest, accepts: [requirements] }, requirements };
}

function usesEip3009({ extra }: PaymentRequirements): boolean {
  return extra.assetTransferMethod === undefined || extra.assetTransferMethod === "eip3009";
}
