import {
  type PaymentErrorCode,
  type PaymentRequired,
  type PaymentRequirements,
  X402_VERSION,
} from "@assay/protocol";
import type { CallTerms } from "../quotes/callTerms.js";
import { buildRequirements, listAccepted } from "../quotes/paymentRequirements.js";
import { findQuote, type StoredQuote } from "../quotes/quotes.js";
import { TICKET_LIFE_MS } from "../quotes/tariff.js";
import { encodeTicket, newBuyerSecret } from "../quotes/ticket.js";
import type { PaymentsContext } from "./paymentsContext.js";

/**
 * Longest URL that a challenge names whole, in characters. Clients send it back in base64 beside the same URL, where all
 * headers share 16 KiB; from a longer one only the route is named. The ticket or quote binds the input, not this text.
 */
const MAX_NAMED_URL_CHARACTERS = 2048;

/** What is sold: a capability of the catalog, or the opening of a claim. */
export interface SoldItem {
  readonly id: string;
  readonly version: string;
  readonly summary: string;
}

/** A request for something that is sold, with or without a payment. */
export interface SaleRequest {
  readonly sold: SoldItem;
  /** Undefined for a bare probe. */
  readonly inputHash: string | undefined;
  /** The price, from what the request brought and what memory knows. Throws while nothing is for sale. */
  readonly terms: () => CallTerms;
  /** Path and query as received; the origin comes from PUBLIC_URL. */
  readonly path: string;
  /** Whose budget pays for the work that an unpaid caller causes. */
  readonly clientAddress: string;
}

/** Without a payment: the price, from the named quote if it still stands. */
export async function challengeFor(
  context: PaymentsContext,
  request: SaleRequest,
  quoteId: string | undefined,
): Promise<PaymentRequired> {
  if (quoteId === undefined) return buildChallenge(context, request, "payment_required");
  const quote = await findQuote(context.database, quoteId);
  if (!quote) return buildChallenge(context, request, "quote_not_found");
  if (quote.capabilityId !== request.sold.id || quote.inputHash !== request.inputHash) {
    return buildChallenge(context, request, "quote_mismatch");
  }
  if (quote.invocationId) return buildChallenge(context, request, "quote_used");
  if (quote.expiresAtMs < Date.now()) return buildChallenge(context, request, "quote_expired");
  return buildQuotedChallenge(context, request, quote);
}

/** A price for this request, bound by a ticket; nothing is written or read. */
export function buildChallenge(
  context: PaymentsContext,
  request: SaleRequest,
  error: PaymentErrorCode,
): Promise<PaymentRequired> {
  const { sold, inputHash } = request;
  const { cacheStatus, listPriceMicroUsd: priceMicroUsd, endsAtMs } = request.terms();
  const expiresAtMs = Math.min(Date.now() + TICKET_LIFE_MS, endsAtMs ?? Number.POSITIVE_INFINITY);
  const ticket = encodeTicket(context.settings.ticketSecret, {
    capabilityId: sold.id,
    inputHash: inputHash ?? null,
    priceMicroUsd,
    cacheStatus,
    expiresAtMs,
    buyerSecret: newBuyerSecret(),
  });
  const requirements = buildRequirements(context.settings, priceMicroUsd, { ticket });
  return describe(context, request, error, requirements, expiresAtMs);
}

/** The challenge a quote stands for, word for word as it was stored. */
function buildQuotedChallenge(
  context: PaymentsContext,
  request: SaleRequest,
  quote: StoredQuote,
): Promise<PaymentRequired> {
  return describe(context, request, "payment_required", quote.requirements, quote.expiresAtMs);
}

async function describe(
  context: PaymentsContext,
  request: SaleRequest,
  error: PaymentErrorCode,
  requirements: PaymentRequirements,
  expiresAtMs: number,
): Promise<PaymentRequired> {
  const accepts = listAccepted(context.settings, requirements);
  return {
    x402Version: X402_VERSION,
    error,
    resource: {
      url: nameResource(`${context.settings.publicUrl}${request.path}`),
      description: request.sold.summary,
      mimeType: "application/json",
    },
    accepts,
    extensions: await context.extensions.describe(request.sold.id, request.path, accepts, expiresAtMs),
  };
}

const nameResource = (url: string): string =>
  url.length <= MAX_NAMED_URL_CHARACTERS ? url : (url.split("?")[0] ?? url);
