import { createHash } from "node:crypto";
import {
  type AnyPayment,
  type CacheStatus,
  canonicalJson,
  type PaymentErrorCode,
  type PaymentRequirements,
} from "@assay/protocol";
import { buildRequirements, listAccepted } from "../quotes/paymentRequirements.js";
import { findQuote } from "../quotes/quotes.js";
import { findTicket } from "../quotes/ticket.js";
import type { PaidCall } from "./paidCall.js";

/** The price a payment answers to. */
export interface Offer {
  readonly quoteId: string | null;
  /** Hash of the ticket, which starts one call; null for a quote, which is consumed. */
  readonly key: string | null;
  readonly cacheStatus: CacheStatus;
  readonly listPriceMicroUsd: bigint;
  readonly creditMicroUsd: bigint;
  readonly priceMicroUsd: bigint;
  /** Set when the offer may no longer start a new call; a call already made under it can still be replayed. */
  readonly lapsed: PaymentErrorCode | undefined;
  /** The payment is known to be used already, so what was offered for it is owed whatever became of the offer. */
  readonly isOwed?: true;
  /** Another call has the ticket or the purchase's name by now. The call goes without both: only one that is owed may. */
  readonly isNameless?: true;
}

/** As many random bits as a ticket has: two tickets never share a key. */
const OFFER_KEY_BYTES = 16;

export type OfferMatch = { readonly offer: Offer } | { readonly refusal: PaymentErrorCode };

/** Finds the ticket or quote a payment was made on. What the payment carries decides, not the URL. */
export async function matchOffer(call: PaidCall<AnyPayment>, payer: string): Promise<OfferMatch> {
  const { ticket, quoteId } = call.payment.accepted.extra;
  if (typeof ticket === "string") return matchTicket(call, ticket);
  if (typeof quoteId === "string") return matchQuote(call, payer, quoteId);
  return { refusal: "ticket_missing" };
}

/** Whether the payment accepts one of the ways in which this price was offered, word for word. */
function isAsOffered({ context, payment }: PaidCall<AnyPayment>, offered: PaymentRequirements): boolean {
  const { accepted } = payment;
  // A corrected challenge also says what the channel was charged; clients send that back with it.
  const { channelState: _state, voucherState: _voucher, ...extra } = accepted.extra;
  const given = canonicalJson(accepted.scheme === "exact" ? accepted : { ...accepted, extra });
  const ways = listAccepted(context.settings, offered);
  return ways.some((way) => way.scheme === accepted.scheme && canonicalJson(way) === given);
}

function matchTicket(call: PaidCall<AnyPayment>, text: string): OfferMatch {
  const { context, request } = call;
  const { ticketSecret, otherTicketSecrets } = context.settings;
  let ticket = findTicket(ticketSecret, text);
  for (const other of otherTicketSecrets) ticket ??= findTicket(other, text);
  if (!ticket) return { refusal: "ticket_invalid" };
  if (ticket.capabilityId !== request.sold.id || ticket.inputHash !== request.inputHash)
    return { refusal: "ticket_mismatch" };
  const expected = buildRequirements(context.settings, ticket.priceMicroUsd, { ticket: text });
  if (!isAsOffered(call, expected)) return { refusal: "requirements_mismatch" };
  return {
    offer: {
      quoteId: null,
      key: createHash("sha256").update(text).digest().subarray(0, OFFER_KEY_BYTES).toString("base64url"),
      cacheStatus: ticket.cacheStatus,
      listPriceMicroUsd: ticket.priceMicroUsd,
      creditMicroUsd: 0n,
      priceMicroUsd: ticket.priceMicroUsd,
      lapsed: Date.now() > ticket.expiresAtMs ? "ticket_expired" : undefined,
    },
  };
}

async function matchQuote(call: PaidCall<AnyPayment>, payer: string, quoteId: string): Promise<OfferMatch> {
  const { context, request } = call;
  const quote = await findQuote(context.database, quoteId);
  if (!quote) return { refusal: "quote_not_found" };
  if (quote.capabilityId !== request.sold.id || quote.inputHash !== request.inputHash)
    return { refusal: "quote_mismatch" };
  if (quote.wallet !== payer.toLowerCase()) return { refusal: "quote_foreign" };
  if (!isAsOffered(call, quote.requirements)) return { refusal: "requirements_mismatch" };
  return {
    offer: {
      quoteId,
      key: null,
      cacheStatus: quote.cacheStatus,
      listPriceMicroUsd: quote.listPriceMicroUsd,
      creditMicroUsd: quote.creditMicroUsd,
      priceMicroUsd: quote.priceMicroUsd,
      lapsed: Date.now() > quote.expiresAtMs ? "quote_expired" : undefined,
    },
  };
}
