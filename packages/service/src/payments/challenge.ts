import {
  type CapabilityInput,
  type CapabilitySpec,
  type PaymentErrorCode,
  type PaymentRequired,
  priceFor,
  X402_VERSION,
} from "@assay/protocol";
import { guessCacheStatus } from "../quotes/cacheStatus.js";
import type { CallTerms } from "../quotes/callTerms.js";
import { buildRequirements } from "../quotes/paymentRequirements.js";
import { getPrices } from "../quotes/priceBook.js";
import type { QuotesContext, StoredQuote } from "../quotes/quotes.js";
import { encodeTicket } from "../quotes/ticket.js";

/** How long an unquoted price stands. */
export const TICKET_LIFE_MS = 120_000;

export interface PaidRequest {
  readonly spec: CapabilitySpec;
  /** Undefined for a bare probe. */
  readonly input: CapabilityInput | undefined;
  readonly inputHash: string | undefined;
  /** Set where the price depends on the artifact that is asked about. */
  readonly targetTerms?: CallTerms | undefined;
  /** Path and query as received; the origin comes from PUBLIC_URL. */
  readonly path: string;
  /** Whom to charge for work an unpaid caller causes. */
  readonly clientAddress: string;
}

/** From what the request brought and what memory knows; the ceiling for a bare probe. */
function guessTerms(context: QuotesContext, request: PaidRequest): CallTerms {
  const { spec, input, inputHash, targetTerms } = request;
  const { header } = context.chain.getFreshHead();
  if (targetTerms) return targetTerms;
  const cacheStatus =
    input === undefined || inputHash === undefined
      ? "miss"
      : guessCacheStatus(context.freshness, spec, input, inputHash, header.number);
  return { cacheStatus, listPriceMicroUsd: priceFor(getPrices(context.prices, spec.id), cacheStatus) };
}

/** A price for this request, bound by a ticket; nothing is written or read. */
export function buildChallenge(
  context: QuotesContext,
  request: PaidRequest,
  error: PaymentErrorCode,
): PaymentRequired {
  const { spec, inputHash } = request;
  const { cacheStatus, listPriceMicroUsd: priceMicroUsd } = guessTerms(context, request);
  const ticket = encodeTicket(context.settings.ticketSecret, {
    capabilityId: spec.id,
    inputHash: inputHash ?? null,
    priceMicroUsd,
    cacheStatus,
    expiresAtMs: Date.now() + TICKET_LIFE_MS,
  });
  return describe(context, request, error, buildRequirements(context.settings, priceMicroUsd, { ticket }));
}

/** The challenge a quote stands for, word for word as it was stored. */
export function buildQuotedChallenge(
  context: QuotesContext,
  request: PaidRequest,
  quote: StoredQuote,
): PaymentRequired {
  return describe(context, request, "payment_required", quote.requirements);
}

function describe(
  context: QuotesContext,
  request: PaidRequest,
  error: PaymentErrorCode,
  requirements: PaymentRequired["accepts"][number],
): PaymentRequired {
  return {
    x402Version: X402_VERSION,
    error,
    resource: {
      url: `${context.settings.publicUrl}${request.path}`,
      description: request.spec.summary,
      mimeType: "application/json",
    },
    accepts: [requirements],
  };
}
