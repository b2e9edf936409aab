import { findCapability } from "@assay/capabilities";
import { type CacheStatus, NETWORK, type PaymentErrorCode } from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import { CLAIM_PLACES, claimLeaf, openPaidClaims } from "../claims/claimRecords.js";
import { CLAIM_OPENING } from "../claims/openClaim.js";
import { moveCredits, redeemMove, releaseMove } from "../credits/ledger.js";
import { storeInterfaceScans } from "../evidence/interfaceScans.js";
import { recordObservations } from "../evidence/observations.js";
import { publishAnswers } from "../evidence/publishAnswer.js";
import { appendLeaves, creditLeaf, type Leaf, UNRECORDED } from "../log/appendLeaves.js";
import { applySettlements } from "../market/applySettlements.js";
import { FINGERPRINTED_CAPABILITY, fingerprintInputHash } from "../market/fingerprintSeed.js";
import { recordFailure, recordStats } from "../market/recordStats.js";
import type { SettledCall } from "../market/settledCall.js";
import type { PriceBook } from "../quotes/priceBook.js";
import { releaseQuote } from "../quotes/quotes.js";
import type { Queryable } from "../store/database.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "./invocations.js";
import { type DigestSigner, OFFER_RECEIPT, signReceipt, soldRoute } from "./offerReceipt.js";

/** The bytes and header owed to a settled payment. */
export interface SettledResponse {
  readonly body: Buffer;
  readonly paymentResponse: string;
}

/** PAYMENT-RESPONSE: standard base64 of the x402 settlement result, with a receipt that our own one names by its hash. */
function encodePaymentResponse(
  { signer, settings }: FinishContext,
  { invocation, transaction }: Settlement,
): { readonly payment_response: string; readonly x402_receipt_hash: string } {
  const { payer, amount, capabilityId } = invocation;
  const resourceUrl = soldRoute(settings.publicUrl, capabilityId);
  const issuedAtSeconds = Math.floor(Date.now() / 1000);
  const { hash, receipt } = signReceipt(signer, { resourceUrl, payer, transaction }, issuedAtSeconds);
  const settlement = {
    ...{ success: true, payer, transaction, network: NETWORK, amount: amount.toString() },
    extensions: { [OFFER_RECEIPT]: { info: { receipt } } },
  };
  const payment_response = Buffer.from(JSON.stringify(settlement)).toString("base64");
  return { payment_response, x402_receipt_hash: hash };
}

export interface FinishContext extends BaseContext {
  readonly signer: DigestSigner;
  /** Bound what seeds can earn. */
  readonly prices: PriceBook;
}

/** What a settlement needs to know. */
interface Settlement {
  readonly invocation: Invocation;
  readonly transaction: string;
}

/**
 * settling or unknown → settled, with everything the settlement causes, in one transaction.
 * Settling twice is harmless: the second finds the state already moved, changes nothing and gets undefined. The
 * attempt is the one whose answer was stored.
 */
export async function finishSettled(
  context: FinishContext,
  invocation: Invocation,
  transaction: string,
): Promise<{ readonly attempt: number; readonly paymentResponse: string } | undefined> {
  const settlement: Settlement = { invocation, transaction };
  return context.database.batch("settle", settlement, (all) => settleAll(context, all));
}

/** Payments that one transaction on chain carried usually end here together. */
async function settleAll(
  context: FinishContext,
  settlements: readonly Settlement[],
): Promise<({ attempt: number; paymentResponse: string } | undefined)[]> {
  const moved = await context.database.transaction(async (tx) => {
    const byId = new Map(
      (await moveToSettled(context, tx, settlements)).map((row) => [row.invocation_id, row]),
    );
    // In the order in which they came: of two that computed the same, the first becomes its seeder.
    const rows = [
      ...new Set(settlements.flatMap(({ invocation }) => byId.get(invocation.invocationId) ?? [])),
    ];
    const calls = rows.map(toSettledCall);
    const openings = idsOf(rows.filter((row) => row.capability_id === CLAIM_OPENING.id));
    const [, issued, claims] = await Promise.all([
      publish(tx, rows),
      applySettlements(tx, calls, context.prices),
      openPaidClaims(tx, openings, context.settings),
    ]);
    const redeemed = rows.flatMap(({ credit_hold, credit_micro_usd }) =>
      credit_hold ? [redeemMove(credit_hold, credit_micro_usd)] : [],
    );
    const entries = await moveCredits(tx, [...redeemed, ...issued]);
    const leaves = [
      ...entries.map(creditLeaf),
      ...listReceiptLeaves(settlements, byId),
      ...claims.map(claimLeaf),
    ];
    await Promise.all([
      recordStats(tx, calls, issued, context.settings.isSimulated),
      appendLeaves(tx, leaves, claims.length > 0 ? RECEIPT_AND_CLAIM_PLACES : RECEIPT_PLACES),
    ]);
    context.failpoints.reach("inside_settled");
    return byId;
  });
  return settlements.map(({ invocation }) => {
    const row = moved.get(invocation.invocationId);
    return row && { attempt: row.attempt, paymentResponse: row.payment_response };
  });
}

/** For `appendLeaves`: each receipt and each claim learns its place in the log. */
const RECEIPT_PLACES = {
  name: "log_receipts",
  text: "UPDATE invocations SET log_index = leaf_index FROM appended WHERE invocation_id = subject",
};
const RECEIPT_AND_CLAIM_PLACES = {
  name: "log_receipts_and_claims",
  text: `, placed AS (${CLAIM_PLACES.text}) ${RECEIPT_PLACES.text}`,
};

interface SettledRow {
  invocation_id: string;
  capability_id: string;
  input_hash: string;
  payer: string;
  attempt: number;
  payment_response: string;
  actual_status: CacheStatus;
  price_micro_usd: bigint;
  credit_hold: string | null;
  credit_micro_usd: bigint;
  transaction_hash: string;
  result_hash: string;
  artifact_id: string | null;
  settled_at: Date;
  x402_receipt_hash: string;
  took_ms: number;
  computed: SettledCall["computed"];
}

/**
 * The rows whose state this moved; of two transactions that want the same row, the second finds it moved. They are
 * locked in one order first, so that two processes that took up the same calls never wait for each other.
 */
async function moveToSettled(
  context: FinishContext,
  tx: Queryable,
  settlements: readonly Settlement[],
): Promise<SettledRow[]> {
  const given = settlements.map((settlement) => ({
    invocation_id: settlement.invocation.invocationId,
    transaction_hash: settlement.transaction,
    ...encodePaymentResponse(context, settlement),
  }));
  const [, rows] = await Promise.all([
    tx.query({
      name: "invocations_lock",
      text: "SELECT FROM invocations WHERE invocation_id = ANY($1) ORDER BY invocation_id FOR NO KEY UPDATE",
      values: [given.map(({ invocation_id }) => invocation_id)],
    }),
    tx.query<SettledRow>({
      name: "invocation_settled",
      text: `WITH moved AS (
             UPDATE invocations i SET state = 'settled', transaction_hash = g.transaction_hash, settled_at = now(),
               failure = NULL, x402_receipt_hash = g.x402_receipt_hash
             FROM json_to_recordset($1)
               AS g (invocation_id text, transaction_hash text, payment_response text, x402_receipt_hash text)
             WHERE i.invocation_id = g.invocation_id AND i.state IN ('settling', 'unknown')
             RETURNING i.invocation_id, i.capability_id, i.input_hash, i.payer, i.attempt, g.payment_response,
               i.actual_status, i.price_micro_usd, i.credit_hold, i.credit_micro_usd, i.transaction_hash, i.result_hash,
               i.artifact_id, i.settled_at, i.x402_receipt_hash,
               least(ceil(extract(epoch FROM i.settled_at - i.created_at) * 1000), 2147483647)::integer AS took_ms)
           UPDATE responses r SET payment_response = m.payment_response FROM moved m
           WHERE r.invocation_id = m.invocation_id
           RETURNING m.*, CASE WHEN r.effects->'artifact' IS NOT NULL THEN json_build_object(
             'freshUntilMs', r.effects->'artifact'->'freshUntilMs',
             'address', r.effects->'fingerprint'->>'address',
             'codeHash', r.effects->'fingerprint'->>'codeHash') END AS computed`,
      values: [JSON.stringify(given)],
    }),
  ]);
  return rows;
}

/** Its own input for a whole answer; for a part, the fingerprint that stood in for reading the code again. */
function findReused({ capability_id, actual_status, input_hash, computed }: SettledRow): string | null {
  if (actual_status === "hit") return input_hash;
  if (actual_status !== "partial" || findCapability(capability_id)?.longLivedPart !== "fingerprint")
    return null;
  if (capability_id === FINGERPRINTED_CAPABILITY) return input_hash;
  return computed?.address ? fingerprintInputHash(computed.address) : null;
}

const toSettledCall = (row: SettledRow): SettledCall => ({
  invocationId: row.invocation_id,
  capabilityId: row.capability_id,
  inputHash: row.input_hash,
  payer: row.payer,
  actualStatus: row.actual_status,
  priceMicroUsd: row.price_micro_usd,
  creditMicroUsd: row.credit_micro_usd,
  settledAt: row.settled_at,
  tookMs: row.took_ms,
  reusedInputHash: findReused(row),
  computed: row.computed,
});

const idsOf = (rows: readonly SettledRow[]) => rows.map((row) => row.invocation_id);

/** Makes public what the calls computed. */
async function publish(tx: Queryable, rows: readonly SettledRow[]): Promise<void> {
  const computed = rows.filter((row) => row.computed !== null);
  const observing = computed.filter((row) => findCapability(row.capability_id)?.leaves === "observation");
  const scanning = computed.filter((row) => findCapability(row.capability_id)?.leaves === "scans");
  await Promise.all([
    computed.length > 0 && publishAnswers(tx, idsOf(computed)),
    observing.length > 0 && recordObservations(tx, idsOf(observing)),
    scanning.length > 0 && storeInterfaceScans(tx, idsOf(scanning)),
  ]);
}

/** What the log keeps of each call that was moved: nothing that its receipt does not show. */
function listReceiptLeaves(
  settlements: readonly Settlement[],
  settled: ReadonlyMap<string, SettledRow>,
): Leaf[] {
  const byId = new Map(settlements.map((settlement) => [settlement.invocation.invocationId, settlement]));
  return [...byId].flatMap(([invocationId, { invocation }]): Leaf[] => {
    const row = settled.get(invocationId);
    if (!row) return [];
    const content = {
      invocationId,
      capabilityId: invocation.capabilityId,
      capabilityVersion: invocation.capabilityVersion,
      network: NETWORK,
      resultHash: row.result_hash,
      artifactId: row.artifact_id,
      payer: invocation.payer,
      payTo: invocation.payTo,
      asset: invocation.asset,
      amount: invocation.amount.toString(),
      authorizationNonce: invocation.authorizationNonce,
      transaction: row.transaction_hash,
      settledAt: row.settled_at.toISOString(),
      x402ReceiptHash: row.x402_receipt_hash,
    };
    return [{ kind: "receipt", subject: invocationId, content }];
  });
}

/** Nothing was charged and nothing will be: the quote and the credit go back to the wallet. Returns what the log records. */
async function release(tx: Queryable, row: InvocationRow): Promise<Leaf[]> {
  const invocation = invocationFromRow(row);
  if (invocation.quoteId) await releaseQuote(tx, invocation.quoteId, invocation.invocationId);
  if (!invocation.creditHold) return [];
  const { payer, creditHold, creditMicroUsd } = invocation;
  const [, entries] = await Promise.all([
    tx.query({
      name: "invocation_credit_released",
      text: "UPDATE invocations SET credit_hold = NULL WHERE invocation_id = $1",
      values: [invocation.invocationId],
    }),
    moveCredits(tx, [releaseMove(payer, creditHold, creditMicroUsd)]),
  ]);
  return entries.map(creditLeaf);
}

/** reserved → void, by the attempt that owns it or by anyone once its lease ended. */
export async function finishVoid(
  context: BaseContext,
  invocation: Invocation,
  reason: PaymentErrorCode | string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const [row] = await tx.query<InvocationRow>({
      name: "invocation_void",
      text: `UPDATE invocations SET state = 'void', failure = $3, lease_until = now()
             WHERE invocation_id = $1 AND attempt = $2 AND state = 'reserved' RETURNING *`,
      values: [invocation.invocationId, invocation.attempt, reason.slice(0, 500)],
    });
    if (row) await appendLeaves(tx, await release(tx, row), UNRECORDED);
    context.failpoints.reach("inside_void");
  });
}

/** settling or unknown → failed: certain that this authorization moved no money to us. */
export async function finishFailed(
  context: BaseContext,
  invocation: Invocation,
  reason: string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const [row] = await tx.query<InvocationRow>({
      name: "invocation_failed",
      text: `UPDATE invocations SET state = 'failed', failure = $2, lease_until = now()
             WHERE invocation_id = $1 AND state IN ('settling', 'unknown') RETURNING *`,
      values: [invocation.invocationId, reason.slice(0, 500)],
    });
    if (row) {
      const leaves = await release(tx, row);
      await Promise.all([
        recordFailure(tx, row.capability_id, context.settings.isSimulated(row.payer)),
        appendLeaves(tx, leaves, UNRECORDED),
      ]);
    }
    context.failpoints.reach("inside_failed");
  });
}
