import { randomBytes } from "node:crypto";
import { type AnyPayment, AssayError, NETWORK, type PaymentErrorCode } from "@assay/protocol";
import { holdMove, InsufficientCreditError, moveCredits } from "../credits/ledger.js";
import { appendLeaves, creditLeaf, UNRECORDED } from "../log/appendLeaves.js";
import { consumeQuote } from "../quotes/quotes.js";
import { ONE_BY_ONE } from "../store/batchCalls.js";
import { isUniqueViolation, type Queryable, type Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import { type Invocation, type InvocationRow, invocationFromRow, loadInvocation } from "./invocations.js";
import type { Offer } from "./matchOffer.js";
import type { PaidCall } from "./paidCall.js";
import { DIGEST_VERSION, digestOf } from "./paymentDigest.js";
import { readPaymentIdentifier } from "./paymentHeader.js";
import { LOST_BLOCK } from "./recovery/recoveredPayments.js";

/** Seconds a process may take from reservation to settling before another may take over. */
const RESERVE_LEASE_SECONDS = 60;

/** Why a payment starts no new call. */
export type KnownPayment =
  | { readonly status: "settled"; readonly invocation: Invocation }
  /** Another request with this payment is being served right now. */
  | { readonly status: "in_flight" }
  /** Money may have moved; only the chain knows. */
  | { readonly status: "unknown"; readonly invocation: Invocation }
  /** It failed on the chain, where everybody could see it: only the chain knows whether somebody has delivered it since. */
  | { readonly status: "failed"; readonly invocation: Invocation }
  | { readonly status: "refused"; readonly error: PaymentErrorCode }
  /** The payer gave this purchase's name to another payment. */
  | { readonly status: "name_used" };

export type Reservation = { readonly status: "reserved"; readonly invocation: Invocation } | KnownPayment;

/** Thrown inside a transaction, so that a refusal leaves nothing behind. */
export class Refusal extends Error {
  constructor(readonly error: PaymentErrorCode) {
    super(error);
  }
}

/** Why the offer or its credit starts no call; throws any other error. */
export function readRefusal(error: unknown): {
  readonly status: "refused";
  readonly error: PaymentErrorCode;
} {
  if (error instanceof Refusal) return { status: "refused", error: error.error };
  if (error instanceof InsufficientCreditError) return { status: "refused", error: "quote_credit_spent" };
  if (isUniqueViolation(error, "one_call_per_identifier")) throw identifierUsed();
  if (isUniqueViolation(error, "one_call_per_offer")) return { status: "refused", error: "ticket_used" };
  throw error;
}

/**
 * Ties this payment to this request before anything is computed. The unique key on payer and
 * nonce makes one of any number of racers the owner; quote and credit are taken in the same
 * transaction, so a refusal leaves nothing behind.
 */
export async function reserve(
  call: PaidCall,
  offer: Offer,
  /** True when the payment is known to be unused: then a call that failed starts again. */
  mayBeginFailed = false,
): Promise<Reservation> {
  const { database } = call.context;
  try {
    const row = describeReservation(call, offer);
    // A ticket takes nothing but the payment itself, so one statement is the whole reservation.
    if (offer.quoteId === null && !offer.lapsed) {
      const invocation = await database.batch(
        "reserve",
        row,
        (rows) => insertReservations(database, rows),
        ONE_BY_ONE,
      );
      if (invocation) return { status: "reserved", invocation };
    }
    return await database.transaction(async (tx) => {
      const [inserted] = await insertReservations(tx, [row]);
      if (inserted) return { status: "reserved", invocation: await takeOffer(tx, inserted, offer) };
      const { from, nonce } = call.payment.payload.authorization;
      const known = await findByAuthorization(tx, call.payment, from, nonce, "FOR UPDATE");
      if (!known) throw new Error("a reservation conflicted with a row that is not there");
      return resume(tx, known, call, offer, mayBeginFailed);
    });
  } catch (error) {
    return isUniqueViolation(error, "one_call_per_identifier") ? { status: "name_used" } : readRefusal(error);
  }
}

/** Begins a call that is owed: its payment was delivered, whatever became of its offer, its ticket and its name meanwhile. */
export async function reserveOwed(call: PaidCall, offer: Offer): Promise<Reservation> {
  const owed: Offer = { ...offer, lapsed: undefined, isOwed: true };
  const reservation = await reserve(call, owed);
  const isTaken =
    reservation.status === "name_used" ||
    (reservation.status === "refused" && reservation.error === "ticket_used");
  return isTaken ? reserve(call, { ...owed, isNameless: true }) : reservation;
}

export function identifierUsed(): AssayError {
  return new AssayError(
    "payment_identifier_used",
    "This payment identifier was used with another payment. Send that payment again for its answer, or choose a new identifier; nothing was charged for this one.",
  );
}

/** The columns a new invocation starts with. 64-bit numbers travel as text. */
function describeReservation({ context, request, payment }: PaidCall, offer: Offer) {
  const { authorization } = payment.payload;
  return {
    invocation_id: `inv_${randomBytes(16).toString("hex")}`,
    capability_id: request.sold.id,
    capability_version: request.sold.version,
    input_hash: request.inputHash,
    network: NETWORK,
    asset: payment.accepted.asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    authorization_nonce: authorization.nonce.toLowerCase(),
    payment_digest: digestOf(payment),
    digest_version: DIGEST_VERSION,
    offer_key: offer.isNameless ? null : offer.key,
    payment_identifier: offer.isNameless ? null : readPaymentIdentifier(payment),
    pay_to: authorization.to.toLowerCase(),
    amount: authorization.value,
    valid_before: authorization.validBefore,
    reserved_at_block: context.chain.getFreshHead().header.number,
    quote_id: offer.quoteId,
    quoted_status: offer.cacheStatus,
    list_price_micro_usd: String(offer.listPriceMicroUsd),
    credit_micro_usd: String(offer.creditMicroUsd),
    price_micro_usd: String(offer.priceMicroUsd),
  };
}

/** What the unique index is on: the authorization's name in 16 bytes, which a packed call still has. */
const AUTHORIZATION =
  "(coalesce(authorization_id, authorization_key(network, asset, payer, authorization_nonce)))";

type ReservationRow = ReturnType<typeof describeReservation>;

/**
 * Undefined for each whose authorization is known already. Rows are inserted in the order of their keys, so that two
 * transactions never wait for each other.
 */
async function insertReservations(
  tx: Queryable,
  rows: readonly ReservationRow[],
): Promise<(Invocation | undefined)[]> {
  const columns = `invocation_id, capability_id, capability_version, input_hash, network, asset, payer,
    authorization_nonce, payment_digest, digest_version, offer_key, payment_identifier, pay_to, amount, valid_before, reserved_at_block, quote_id, quoted_status,
    list_price_micro_usd, credit_micro_usd, price_micro_usd`;
  const values = columns.replace("reserved_at_block", `coalesce(${LOST_BLOCK}, reserved_at_block)`);
  const inserted = await tx.query<InvocationRow>({
    name: "invocation_reserve",
    text: `INSERT INTO invocations (state, lease_until, ${columns})
           SELECT 'reserved', now() + ($2::int * interval '1 second'), ${values}
           FROM json_populate_recordset(NULL::invocations, $1) AS given ORDER BY payer, authorization_nonce
           ON CONFLICT (${AUTHORIZATION}) DO NOTHING RETURNING *`,
    values: [JSON.stringify(rows), RESERVE_LEASE_SECONDS],
  });
  const byId = new Map(inserted.map((row) => [row.invocation_id, invocationFromRow(row)]));
  return rows.map((row) => byId.get(row.invocation_id));
}

/** The invocation that this payment was made for, if it was made for the same request. */
export async function findKnownPayment(
  call: PaidCall<AnyPayment>,
  payer: string,
  nonce: string,
): Promise<Invocation | undefined> {
  const known = await findByAuthorization(call.context.database, call.payment, payer, nonce, "");
  return known && isSameQuestion(known, call) && isSamePayment(known, call) ? known : undefined;
}

const isSameQuestion = (known: Invocation, { request }: PaidCall<AnyPayment>): boolean =>
  known.capabilityId === request.sold.id && known.inputHash === request.inputHash;

/**
 * The same bytes, the buyer's secret among them. Payments from before offers carried one are all on the chain: they are
 * recognised for as long as their buyers would send them again, and then belong to nobody.
 */
function isSamePayment(known: Invocation, { payment }: PaidCall<AnyPayment>): boolean {
  const isPublic = known.digestVersion === 1 && known.validBefore <= BigInt(Math.floor(Date.now() / 1000));
  return !isPublic && known.paymentDigest === digestOf(payment, known.digestVersion);
}

async function findByAuthorization(
  db: Queryable,
  { accepted }: AnyPayment,
  payer: string,
  nonce: string,
  lock: "" | "FOR UPDATE",
): Promise<Invocation | undefined> {
  const [row] = await db.query<InvocationRow>({
    name: `invocation_by_authorization ${lock}`,
    text: `SELECT * FROM invocations
           WHERE ${AUTHORIZATION} = authorization_key($1, $2, $3, $4) AND payer = $3 ${lock}`,
    values: [NETWORK, accepted.asset.toLowerCase(), payer.toLowerCase(), nonce.toLowerCase()],
  });
  return row && loadInvocation(db, row);
}

/** Consumes the quote and sets its credit aside for this attempt. */
async function takeOffer(tx: Transaction, invocation: Invocation, offer: Offer): Promise<Invocation> {
  if (offer.lapsed) throw new Refusal(offer.lapsed);
  const taken = offer.isOwed ? await takeOwnQuote(tx, invocation) : invocation;
  if (offer.quoteId && !offer.isOwed && !(await consumeQuote(tx, offer.quoteId, invocation.invocationId)))
    throw new Refusal("quote_used");
  return offer.creditMicroUsd === 0n ? taken : holdCredit(tx, taken, offer.creditMicroUsd);
}

/** Binds an owed call to its quote, even one that has ended. Where another call has it, this one goes without: a quote buys once. */
export async function takeOwnQuote(tx: Transaction, invocation: Invocation): Promise<Invocation> {
  const { quoteId, invocationId } = invocation;
  if (quoteId === null || (await consumeQuote(tx, quoteId, invocationId, true))) return invocation;
  await tx.query({
    name: "invocation_without_quote",
    text: "UPDATE invocations SET quote_id = NULL WHERE invocation_id = $1",
    values: [invocationId],
  });
  return { ...invocation, quoteId: null };
}

/** Names the credit that an attempt sets aside. */
export const creditHoldOf = ({
  invocationId,
  attempt,
}: Pick<Invocation, "invocationId" | "attempt">): string => `${invocationId}#${attempt}`;

/** Sets credit aside for this attempt. */
export async function holdCredit(
  tx: Transaction,
  invocation: Invocation,
  microUsd: bigint,
): Promise<Invocation> {
  const creditHold = creditHoldOf(invocation);
  const [, entries] = await inOrder(tx, [
    (tx) =>
      tx.query({
        name: "invocation_credit_hold",
        text: "UPDATE invocations SET credit_hold = $2 WHERE invocation_id = $1",
        values: [invocation.invocationId, creditHold],
      }),
    (tx) => moveCredits(tx, [holdMove(invocation.payer, creditHold, microUsd)]),
  ]);
  await appendLeaves(tx, entries.map(creditLeaf), UNRECORDED);
  return { ...invocation, creditHold };
}

/**
 * A second arrival of a payment we know. What the chain may have shown is given only to the same payment. An authorization
 * that never left this service may be tried again under another offer of the same question, since only its buyer has it.
 */
async function resume(
  tx: Transaction,
  known: Invocation,
  call: PaidCall,
  offer: Offer,
  mayBeginFailed: boolean,
): Promise<Reservation> {
  const leaseEnded = known.leaseUntilMs < Date.now();
  // What a dead process left is taken up under its own offer, so only by a payment of the same amount.
  const isAbandoned =
    known.state === "reserved" &&
    leaseEnded &&
    known.amount === BigInt(call.payment.payload.authorization.value);
  const neverSent = known.state === "void" || isAbandoned;
  if (!isSameQuestion(known, call) || !(neverSent || isSamePayment(known, call)))
    return { status: "refused", error: "payment_already_used" };
  if (known.state === "settled") return { status: "settled", invocation: known };
  if (known.state === "reorged") return { status: "refused", error: "payment_failed" };
  if (known.state === "unknown" || (known.state === "settling" && leaseEnded))
    return { status: "unknown", invocation: known };
  if (known.state === "failed" && !mayBeginFailed) return { status: "failed", invocation: known };
  if (known.state === "void" || known.state === "failed") {
    const again = await restart(tx, known, call, offer);
    return { status: "reserved", invocation: await takeOffer(tx, again, offer) };
  }
  if (known.state !== "settling" && leaseEnded)
    return { status: "reserved", invocation: await takeOver(tx, known, call) };
  return { status: "in_flight" };
}

/**
 * Begins a new attempt under a new offer, after one that charged nothing and gave everything back. Under the same nonce the
 * payer may have signed another amount or time, so the payment is recorded again. `reserved_at_block` is the block from which a
 * use of the nonce pays for this call. For another amount or time that is the block of this attempt. For the same authorization
 * it stays that of the first attempt: anybody may have delivered it since, and its payer must not pay twice.
 */
async function restart(tx: Queryable, known: Invocation, call: PaidCall, offer: Offer): Promise<Invocation> {
  const payment = describeReservation(call, offer);
  const [row] = await tx.query<InvocationRow>({
    name: "invocation_restart",
    text: `UPDATE invocations SET state = 'reserved', attempt = attempt + 1, failure = NULL,
             lease_until = now() + ($2::int * interval '1 second'), quote_id = $3, quoted_status = $4,
             list_price_micro_usd = $5, credit_micro_usd = $6, price_micro_usd = $7,
             payment_digest = $8, digest_version = ${DIGEST_VERSION}, offer_key = $9, payment_identifier = $10,
             pay_to = $11, amount = $12, valid_before = $13,
             reserved_at_block = CASE WHEN amount = $12 AND valid_before = $13 THEN reserved_at_block ELSE $14 END
           WHERE invocation_id = $1 RETURNING *`,
    values: [
      known.invocationId,
      RESERVE_LEASE_SECONDS,
      offer.quoteId,
      offer.cacheStatus,
      offer.listPriceMicroUsd,
      offer.creditMicroUsd,
      offer.priceMicroUsd,
      payment.payment_digest,
      payment.offer_key,
      payment.payment_identifier,
      payment.pay_to,
      payment.amount,
      payment.valid_before,
      payment.reserved_at_block,
    ],
  });
  return invocationFromRow(row as InvocationRow);
}

/**
 * Takes over from a process that stopped responding; the attempt number locks it out. The offer stays the
 * one it was reserved under, because its quote and its credit are still held.
 */
async function takeOver(tx: Queryable, known: Invocation, { payment }: PaidCall): Promise<Invocation> {
  const [row] = await tx.query<InvocationRow>({
    name: "invocation_take_over",
    text: `UPDATE invocations SET state = 'reserved', attempt = attempt + 1,
             lease_until = now() + ($2::int * interval '1 second'), payment_digest = $3, digest_version = ${DIGEST_VERSION}
           WHERE invocation_id = $1 RETURNING *`,
    values: [known.invocationId, RESERVE_LEASE_SECONDS, digestOf(payment)],
  });
  return invocationFromRow(row as InvocationRow);
}
