import { findCapability } from "@assay/capabilities";
import { type CacheStatus, NETWORK } from "@assay/protocol";
import { CLAIM_PLACES, claimLeaf, openPaidClaims } from "../claims/claimRecords.js";
import { CLAIM_OPENING } from "../claims/openClaim.js";
import { type CreditMove, moveCredits, redeemMove } from "../credits/ledger.js";
import { storeInterfaceScans } from "../evidence/interfaceScans.js";
import { recordObservations } from "../evidence/observations.js";
import { publishAnswers } from "../evidence/publishAnswers.js";
import { appendLeaves, creditLeaf, type Leaf, type LeafRecord } from "../log/appendLeaves.js";
import { applySettlements } from "../market/applySettlements.js";
import { fingerprintInputHash, isFingerprinted } from "../market/fingerprintSeed.js";
import { listUsedPublications, PUBLICATION_PLACES, publicationLeaf } from "../market/publications.js";
import { recordSeeders } from "../market/recordSeeders.js";
import { recordStats } from "../market/recordStats.js";
import type { SettledCall } from "../market/settledCall.js";
import { ONE_BY_ONE } from "../store/batchCalls.js";
import type { Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import type { Invocation } from "./invocations.js";
import { OFFER_RECEIPT, signReceipt, soldRoute } from "./offerReceipt.js";
import { packPaymentResponse } from "./packedResponse.js";
import { markLaterSales } from "./packFinalCalls.js";
import type { SettlementContext } from "./paymentsContext.js";

/** A payment that has moved money, and the transaction on chain that moved it. */
export interface Settlement {
  readonly invocation: Invocation;
  /** Null for a voucher, which is claimed later. */
  readonly transaction: string | null;
  /** What the log says of it. */
  readonly voucher?: { readonly channelId: string; readonly maxClaimableAmount: string };
  /** Credit that nobody has set aside before. */
  readonly holds?: readonly CreditMove[];
  /** What PAYMENT-RESPONSE says beside who paid. */
  readonly response: Readonly<Record<string, unknown>> & { readonly transaction: string };
}

/** The attempt is the one whose answer was stored. */
export interface Finished {
  readonly attempt: number;
  readonly paymentResponse: string;
}

/**
 * settling or unknown → settled, with everything the settlement causes, in one transaction. Settling twice is harmless:
 * the second finds the state already moved, changes nothing and gets undefined.
 */
export async function finishSettled(
  context: SettlementContext,
  invocation: Invocation,
  transaction: string,
): Promise<Finished | undefined> {
  const response = { transaction, network: NETWORK, amount: invocation.amount.toString() };
  const settlement: Settlement = { invocation, transaction, response };
  const settleTogether = async (all: readonly Settlement[]) => {
    // Before the transaction: a key elsewhere may take a while to sign, and rows and the log would stay locked meanwhile.
    const given = await Promise.all(all.map((one) => describeMove(context, one)));
    const moved = await context.database.transaction((tx) => settleAll(context, tx, all, given));
    return all.map((one) => moved.get(one.invocation.invocationId));
  };
  return context.database.batch("settle", settlement, settleTogether, ONE_BY_ONE);
}

/**
 * Payments that one transaction on chain carried usually end here together. The order of the steps is the order in which
 * every transaction takes its locks: channels, invocations, what they publish, the market, claims, credits, stats, the log.
 * Returns, by invocation, the ones that this moved.
 */
export async function settleAll(
  context: SettlementContext,
  tx: Transaction,
  settlements: readonly Settlement[],
  given: readonly Move[],
): Promise<ReadonlyMap<string, Finished>> {
  return applySettled(context, tx, settlements, await lockUnsettled(tx, given), moveToSettled(given));
}

/** What a row that is moved learns. */
async function describeMove(context: SettlementContext, settlement: Settlement) {
  return {
    invocation_id: settlement.invocation.invocationId,
    transaction_hash: settlement.transaction,
    ...(await encodePaymentResponse(context, settlement)),
  };
}
type Move = Awaited<ReturnType<typeof describeMove>>;

/** What the settlement of these rows causes, in the transaction that settles them; `record` writes their places in the log down. */
export async function applySettled(
  context: SettlementContext,
  tx: Transaction,
  settlements: readonly Settlement[],
  settled: readonly SettledRow[],
  record: LeafRecord = RECEIPT_PLACES,
): Promise<ReadonlyMap<string, Finished>> {
  const { prices, settings, failpoints } = context;
  const byId = new Map(settled.map((row) => [row.invocation_id, row]));
  // In the order in which they came: of two that computed the same, the first becomes its seeder.
  const rows = [...new Set(settlements.flatMap(({ invocation }) => byId.get(invocation.invocationId) ?? []))];
  const calls = rows.map(toSettledCall);
  const [, { dividends, claimedSeeds, issued }] = await inOrder(tx, [
    (tx) => publish(tx, rows),
    (tx) => applySettlements(tx, calls, prices),
  ]);
  const openings = idsOf(rows.filter((row) => row.capability_id === CLAIM_OPENING.id));
  const claims = await openPaidClaims(tx, openings, settings);
  const holds = settlements.flatMap(({ invocation, holds = [] }) =>
    byId.has(invocation.invocationId) ? holds : [],
  );
  const redeemed = rows.flatMap(({ credit_hold, credit_micro_usd }) =>
    credit_hold ? [redeemMove(credit_hold, credit_micro_usd)] : [],
  );
  const [, entries] = await inOrder(tx, [
    (tx) => recordSeeders(tx, dividends, claimedSeeds),
    (tx) => moveCredits(tx, [...holds, ...redeemed, ...issued]),
  ]);
  const used = await listUsedPublications(
    tx,
    dividends.flatMap(({ firstUseOf }) => firstUseOf ?? []),
  );
  const leaves = [
    ...used.map(publicationLeaf),
    ...entries.map(creditLeaf),
    ...listReceiptLeaves(settlements, byId),
    ...claims.map(claimLeaf),
  ];
  await inOrder(tx, [
    (tx) => recordStats(tx, calls, issued, settings.isSimulated),
    (tx) => appendLeaves(tx, leaves, claims.length + used.length > 0 ? withOtherPlaces(record) : record),
  ]);
  failpoints.reach("inside_settled");
  return new Map(
    rows.map((row) => [row.invocation_id, { attempt: row.attempt, paymentResponse: row.payment_response }]),
  );
}

/** For `appendLeaves`: each receipt learns its place in the log. */
const RECEIPT_PLACES = {
  name: "log_receipts",
  text: "UPDATE invocations SET log_index = leaf_index FROM appended WHERE invocation_id = subject",
};

/** And so do claims and publications. */
const withOtherPlaces = ({ name, text, values }: LeafRecord): LeafRecord => ({
  name: `${name}_and_others`,
  text: `, placed_claims AS (${CLAIM_PLACES.text}), placed_publications AS (${PUBLICATION_PLACES.text}) ${text}`,
  ...(values && { values }),
});

/** What settling needs to know of a call that was settled just now. */
export interface SettledRow {
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
  transaction_hash: string | null;
  result_hash: string;
  artifact_id: string | null;
  settled_at: Date;
  x402_receipt_hash: string;
  took_ms: number;
  computed: SettledCall["computed"];
}

/**
 * The rows that are still to be settled, locked until the transaction ends. Of two transactions that want the same row, the second
 * waits and finds it settled. They are locked in one order, so that two processes that took up the same calls never wait for each
 * other. The rows are settled with the last statement, `moveToSettled`, which also knows their places in the log: a row that is
 * written once less costs eleven entries in indexes less.
 */
function lockUnsettled(tx: Transaction, given: readonly Move[]): Promise<SettledRow[]> {
  return tx.query<SettledRow>({
    name: "invocations_lock",
    text: `SELECT i.invocation_id, i.capability_id, i.input_hash, i.payer, i.attempt, g.payment_response, i.actual_status,
             i.price_micro_usd, i.credit_hold, i.credit_micro_usd, g.transaction_hash, i.result_hash, i.artifact_id,
             now() AS settled_at, g.x402_receipt_hash,
             least(ceil(extract(epoch FROM now() - i.created_at) * 1000), 2147483647)::integer AS took_ms,
             CASE WHEN r.effects->'artifact' IS NOT NULL THEN json_build_object(
               'freshUntilMs', r.effects->'artifact'->'freshUntilMs',
               'address', r.effects->'fingerprint'->>'address',
               'codeHash', r.effects->'fingerprint'->>'codeHash') END AS computed
           FROM json_to_recordset($1) AS g (invocation_id text, transaction_hash text, payment_response text,
               x402_receipt_hash text)
           JOIN invocations i USING (invocation_id) JOIN responses r USING (invocation_id)
           WHERE i.state IN ('settling', 'unknown') ORDER BY i.invocation_id FOR NO KEY UPDATE OF i`,
    values: [JSON.stringify(given)],
  });
}

/** For `appendLeaves`, of locked rows: settled, with their places in the log. */
const moveToSettled = (given: readonly Move[]): LeafRecord => ({
  name: "invocation_settled",
  text: `, given AS (
           SELECT g.*, leaf_index FROM appended
           JOIN json_to_recordset($4) AS g (invocation_id text, transaction_hash text, packed_payment_response text)
             ON invocation_id = subject),
         answered AS (
           UPDATE responses r SET packed_payment_response = decode(g.packed_payment_response, 'base64') FROM given g
           WHERE r.invocation_id = g.invocation_id)
         UPDATE invocations i SET state = 'settled', transaction_hash = g.transaction_hash, settled_at = now(),
           failure = NULL, log_index = g.leaf_index
         FROM given g WHERE i.invocation_id = g.invocation_id AND i.state IN ('settling', 'unknown')`,
  values: [JSON.stringify(given)],
});

/** PAYMENT-RESPONSE: standard base64 of the x402 settlement result, with a receipt that our own one names by its hash. */
export async function encodePaymentResponse(
  { signer, settings }: SettlementContext,
  { invocation, response }: Settlement,
) {
  const { payer, capabilityId } = invocation;
  const resourceUrl = soldRoute(settings.publicUrl, capabilityId);
  const issuedAtSeconds = Math.floor(Date.now() / 1000);
  const { transaction } = response;
  const { hash, receipt } = await signReceipt(signer, { resourceUrl, payer, transaction }, issuedAtSeconds);
  const settlement = {
    ...{ success: true, payer, ...response },
    extensions: { [OFFER_RECEIPT]: { info: { receipt } } },
  };
  const json = JSON.stringify(settlement);
  return {
    payment_response: Buffer.from(json).toString("base64"),
    packed_payment_response: packPaymentResponse(json, { payer, capabilityId }).toString("base64"),
    x402_receipt_hash: hash,
  };
}

const toSettledCall = (row: SettledRow): SettledCall => ({
  invocationId: row.invocation_id,
  capabilityId: row.capability_id,
  inputHash: row.input_hash,
  artifactId: row.artifact_id,
  payer: row.payer,
  actualStatus: row.actual_status,
  priceMicroUsd: row.price_micro_usd,
  creditMicroUsd: row.credit_micro_usd,
  settledAt: row.settled_at,
  tookMs: row.took_ms,
  reusedInputHash: findReused(row),
  computed: row.computed,
});

/**
 * Its own input for a whole answer; for a part, the fingerprint that stood in for reading the code again. The first paid
 * answer about a published fingerprint uses it as well, although it costs the full price.
 */
function findReused({ capability_id, actual_status, input_hash, computed }: SettledRow): string | null {
  if (actual_status === "hit" || isFingerprinted(capability_id)) return input_hash;
  if (actual_status !== "partial" || findCapability(capability_id)?.longLivedPart !== "fingerprint")
    return null;
  return computed?.address ? fingerprintInputHash(computed.address) : null;
}

const idsOf = (rows: readonly SettledRow[]) => rows.map((row) => row.invocation_id);

/** Makes public what the calls computed; the artifacts come first, because observations refer to them. */
async function publish(tx: Transaction, rows: readonly SettledRow[]): Promise<void> {
  const computed = rows.filter((row) => row.computed !== null);
  const thatLeave = (kind: "observation" | "scans") =>
    idsOf(computed.filter((row) => findCapability(row.capability_id)?.leaves === kind));
  await inOrder(tx, [
    (tx) => publishAnswers(tx, idsOf(computed)),
    (tx) => recordObservations(tx, thatLeave("observation")),
    (tx) => storeInterfaceScans(tx, thatLeave("scans")),
    (tx) => markLaterSales(tx, idsOf(computed.filter((row) => row.actual_status === "hit"))),
  ]);
}

/** The log's record of each call that was moved: nothing that its receipt does not show. */
function listReceiptLeaves(
  settlements: readonly Settlement[],
  settled: ReadonlyMap<string, SettledRow>,
): Leaf[] {
  const byId = new Map(settlements.map((settlement) => [settlement.invocation.invocationId, settlement]));
  return [...byId].flatMap(([invocationId, { invocation, voucher }]): Leaf[] => {
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
      ...(voucher && { voucher }),
      settledAt: row.settled_at.toISOString(),
      x402ReceiptHash: row.x402_receipt_hash,
    };
    return [{ kind: "receipt", subject: invocationId, content }];
  });
}
