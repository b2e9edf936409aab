import { randomBytes } from "node:crypto";
import type { CapabilityInput, ListedCapability } from "@assay/capabilities";
import {
  type CacheStatus,
  inputHashOf,
  MINIMUM_PRICE_MICRO_USD,
  type PaymentRequirements,
  paymentRequirementsSchema,
  type Quote,
  usdFromMicro,
} from "@assay/protocol";
import { getBalance } from "../credits/ledger.js";
import type { Queryable } from "../store/database.js";
import { readCallTerms } from "./callTerms.js";
import { invokeCall } from "./invokeCall.js";
import { buildRequirements } from "./paymentRequirements.js";
import type { QuotesContext } from "./quotesContext.js";
import { QUOTE_LIFE_MS } from "./tariff.js";
import { newBuyerSecret } from "./ticket.js";

export interface StoredQuote {
  readonly quoteId: string;
  readonly capabilityId: string;
  readonly wallet: string;
  readonly inputHash: string;
  readonly cacheStatus: CacheStatus;
  readonly listPriceMicroUsd: bigint;
  readonly creditMicroUsd: bigint;
  readonly priceMicroUsd: bigint;
  readonly requirements: PaymentRequirements;
  readonly expiresAtMs: number;
  readonly invocationId: string | null;
}

/** Fixes a price for one wallet and one input, for a minute or until the answer it prices ends. Credit is counted, not held. */
export async function createQuote(
  context: QuotesContext,
  capability: ListedCapability,
  input: CapabilityInput,
  wallet: string,
): Promise<Quote> {
  const head = context.chain.getFreshHead();
  const inputHash = inputHashOf(capability.id, capability.version, input);
  const [{ cacheStatus, listPriceMicroUsd: listPrice, endsAtMs }, balance] = await Promise.all([
    readCallTerms(context, capability, input, inputHash, head.header),
    getBalance(context.database, `wallet:${wallet}`),
  ]);
  const spendable = listPrice - MINIMUM_PRICE_MICRO_USD;
  const credit = balance < spendable ? balance : spendable;
  const price = listPrice - credit;
  const quoteId = `quo_${randomBytes(16).toString("hex")}`;
  const expiresAt = new Date(Math.min(Date.now() + QUOTE_LIFE_MS, endsAtMs ?? Number.POSITIVE_INFINITY));
  await context.database.query({
    name: "quote_insert",
    text: `INSERT INTO quotes (quote_id, capability_id, wallet, input_hash, cache_status, list_price_micro_usd,
             credit_micro_usd, price_micro_usd, requirements, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      quoteId,
      capability.id,
      wallet,
      inputHash,
      cacheStatus,
      listPrice,
      credit,
      price,
      JSON.stringify(buildRequirements(context.settings, price, { quoteId, buyerSecret: newBuyerSecret() })),
      expiresAt,
    ],
  });
  const call = invokeCall(context.settings.publicUrl, capability, input, wallet, { quote: quoteId });
  return {
    capabilityId: capability.id,
    quoteId,
    cacheStatus,
    listPriceUsd: usdFromMicro(listPrice),
    creditAppliedUsd: usdFromMicro(credit),
    priceUsd: usdFromMicro(price),
    expiresAt: expiresAt.toISOString(),
    invokeUrl: call.url,
    invokeMethod: call.method,
    invokeBody: call.body,
  };
}

interface QuoteRow {
  quote_id: string;
  capability_id: string;
  wallet: string;
  input_hash: string;
  cache_status: CacheStatus;
  list_price_micro_usd: bigint;
  credit_micro_usd: bigint;
  price_micro_usd: bigint;
  requirements: unknown;
  expires_at: Date;
  invocation_id: string | null;
}

const QUOTE_ID = /^quo_[0-9a-f]{32}$/;

export async function findQuote(db: Queryable, quoteId: string): Promise<StoredQuote | undefined> {
  // Callers send any text; what cannot be an id is not worth a query, and PostgreSQL refuses some of it (NUL).
  if (!QUOTE_ID.test(quoteId)) return undefined;
  const [row] = await db.query<QuoteRow>({
    name: "quote_find",
    text: "SELECT * FROM quotes WHERE quote_id = $1",
    values: [quoteId],
  });
  return (
    row && {
      quoteId: row.quote_id,
      capabilityId: row.capability_id,
      wallet: row.wallet,
      inputHash: row.input_hash,
      cacheStatus: row.cache_status,
      listPriceMicroUsd: row.list_price_micro_usd,
      creditMicroUsd: row.credit_micro_usd,
      priceMicroUsd: row.price_micro_usd,
      requirements: paymentRequirementsSchema.parse(row.requirements),
      expiresAtMs: row.expires_at.getTime(),
      invocationId: row.invocation_id,
    }
  );
}

/**
 * Gives the quote to this invocation if nobody else has it, and unless it has ended: then only to one that was paid already. One
 * statement, so two racers cannot both win.
 */
export async function consumeQuote(
  tx: Queryable,
  quoteId: string,
  invocationId: string,
  isOwed = false,
): Promise<boolean> {
  const rows = await tx.query({
    name: "quote_consume",
    text: `UPDATE quotes SET invocation_id = $2
           WHERE quote_id = $1 AND (invocation_id IS NULL OR invocation_id = $2) AND ($3 OR expires_at > now())
           RETURNING quote_id`,
    values: [quoteId, invocationId, isOwed],
  });
  return rows.length === 1;
}

/** Returns the quote to its wallet when the invocation that held it charged nothing. */
export async function releaseQuote(tx: Queryable, quoteId: string, invocationId: string): Promise<void> {
  await tx.query({
    name: "quote_release",
    text: "UPDATE quotes SET invocation_id = NULL WHERE quote_id = $1 AND invocation_id = $2",
    values: [quoteId, invocationId],
  });
}

/** Ends a quote whose price no longer stands, because the answer that it priced has ended. */
export async function endQuote(db: Queryable, quoteId: string): Promise<void> {
  await db.query({
    name: "quote_end",
    text: "UPDATE quotes SET expires_at = least(expires_at, now()) WHERE quote_id = $1",
    values: [quoteId],
  });
}

/** Unused quotes are worthless a day after they expired. */
export async function deleteOldQuotes(db: Queryable, afterHours: number, limit: number): Promise<number> {
  const deleted = await db.query({
    text: `DELETE FROM quotes WHERE quote_id IN (
             SELECT quote_id FROM quotes q
             WHERE expires_at < now() - $1 * interval '1 hour' AND (invocation_id IS NULL OR EXISTS (
               SELECT FROM invocations i WHERE i.invocation_id = q.invocation_id AND i.state = 'settled'))
             LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING quote_id`,
    values: [afterHours, limit],
  });
  return deleted.length;
}
