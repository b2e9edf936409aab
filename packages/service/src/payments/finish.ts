import { NETWORK, type PaymentErrorCode } from "@assay/protocol";
import type { BaseContext } from "../context.js";
import { redeemHeldCredit, releaseHeldCredit } from "../credits/ledger.js";
import { storeInterfaceScans } from "../evidence/interfaceScans.js";
import { recordObservations } from "../evidence/observations.js";
import { publishAnswers } from "../evidence/publishAnswer.js";
import { appendLeaves, type Leaf } from "../log/appendLeaves.js";
import { releaseQuote } from "../quotes/quotes.js";
import type { Queryable } from "../store/database.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "./invocations.js";

/** The bytes and header owed to a settled payment. */
export interface SettledResponse {
  readonly body: Buffer;
  readonly paymentResponse: string;
}

/** PAYMENT-RESPONSE: standard base64 of the x402 settlement result. */
function encodePaymentResponse(invocation: Invocation, transaction: string): string {
  const { payer, amount } = invocation;
  const settlement = { success: true, payer, transaction, network: "eip155:8453", amount: amount.toString() };
  return Buffer.from(JSON.stringify(settlement)).toString("base64");
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
  context: BaseContext,
  invocation: Invocation,
  transaction: string,
): Promise<{ readonly attempt: number; readonly paymentResponse: string } | undefined> {
  const settlement: Settlement = { invocation, transaction };
  return context.database.gather("settle", settlement, (all) => settleAll(context, all));
}

/** Payments that one transaction on chain carried usually end here together. */
async function settleAll(
  context: BaseContext,
  settlements: readonly Settlement[],
): Promise<({ attempt: number; paymentResponse: string } | undefined)[]> {
  const given = settlements.map(({ invocation, transaction }) => ({
    invocation_id: invocation.invocationId,
    transaction_hash: transaction,
    payment_response: encodePaymentResponse(invocation, transaction),
  }));
  const moved = await context.database.transaction(async (tx) => {
    const rows = await tx.query<SettledRow>({
      name: "invocation_settled",
      text: `WITH moved AS (
               UPDATE invocations i SET state = 'settled', transaction_hash = g.transaction_hash, settled_at = now(),
                 failure = NULL
               FROM json_to_recordset($1) AS g (invocation_id text, transaction_hash text, payment_response text)
               WHERE i.invocation_id = g.invocation_id AND i.state IN ('settling', 'unknown')
               RETURNING i.invocation_id, i.capability_id, i.attempt, g.payment_response, i.credit_hold,
                 i.credit_micro_usd, i.transaction_hash, i.result_hash, i.artifact_id, i.settled_at)
             UPDATE responses r SET payment_response = m.payment_response FROM moved m
             WHERE r.invocation_id = m.invocation_id
             RETURNING m.*`,
      values: [JSON.stringify(given)],
    });
    for (const row of rows)
      if (row.credit_hold) await redeemHeldCredit(tx, row.credit_hold, row.credit_micro_usd);
    await publishAnswers(
      tx,
      rows.map((row) => row.invocation_id),
    );
    const observing = rows.filter((row) => row.capability_id === "contract.change");
    if (observing.length > 0)
      await recordObservations(
        tx,
        observing.map((row) => row.invocation_id),
      );
    const scanning = rows.filter((row) => row.capability_id === "contract.interface");
    if (scanning.length > 0)
      await storeInterfaceScans(
        tx,
        scanning.map((row) => row.invocation_id),
      );
    const settled = new Map(rows.map((row) => [row.invocation_id, row]));
    await appendLeaves(tx, listReceiptLeaves(settlements, settled), {
      name: "log_receipts",
      text: "UPDATE invocations SET log_index = leaf_index FROM appended WHERE invocation_id = subject",
    });
    context.failpoints.reach("inside_settled");
    return settled;
  });
  return settlements.map(({ invocation }) => {
    const row = moved.get(invocation.invocationId);
    return row && { attempt: row.attempt, paymentResponse: row.payment_response };
  });
}

interface SettledRow {
  invocation_id: string;
  capability_id: string;
  attempt: number;
  payment_response: string;
  credit_hold: string | null;
  credit_micro_usd: bigint;
  transaction_hash: string;
  result_hash: string;
  artifact_id: string;
  settled_at: Date;
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
    };
    return [{ kind: "receipt", subject: invocationId, content }];
  });
}

/** Nothing was charged and nothing will be: the quote and the credit go back to the wallet. */
async function release(tx: Queryable, row: InvocationRow): Promise<void> {
  const invocation = invocationFromRow(row);
  if (invocation.quoteId) await releaseQuote(tx, invocation.quoteId, invocation.invocationId);
  if (!invocation.creditHold) return;
  await releaseHeldCredit(tx, invocation.payer, invocation.creditHold, invocation.creditMicroUsd);
  await tx.query({
    name: "invocation_credit_released",
    text: "UPDATE invocations SET credit_hold = NULL WHERE invocation_id = $1",
    values: [invocation.invocationId],
  });
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
    if (row) await release(tx, row);
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
    if (row) await release(tx, row);
    context.failpoints.reach("inside_failed");
  });
}

/** What is stored of a settled call's answer. */
export interface StoredResponse {
  /** Null once a private answer has been deleted. */
  readonly body: Buffer | null;
  readonly isSealed: boolean;
  readonly paymentResponse: string;
}

export async function getStoredResponse(db: Queryable, invocationId: string): Promise<StoredResponse> {
  const [row] = await db.query<{ body: Buffer | null; is_sealed: boolean; payment_response: string }>({
    name: "response_find",
    text: `SELECT r.body, r.is_sealed, r.payment_response FROM responses r JOIN invocations i USING (invocation_id)
           WHERE invocation_id = $1 AND i.state = 'settled'`,
    values: [invocationId],
  });
  if (!row) throw new Error(`invocation ${invocationId} is not settled or has no stored response`);
  return { body: row.body, isSealed: row.is_sealed, paymentResponse: row.payment_response };
}

/** Private answers go an hour after settlement, and at once when nothing was charged for them. */
export async function deletePrivateAnswers(db: Queryable): Promise<void> {
  await db.query({
    text: `UPDATE responses r SET body = NULL FROM invocations i
           WHERE i.invocation_id = r.invocation_id AND r.is_sealed AND r.body IS NOT NULL
             AND (i.state IN ('void', 'failed') OR (i.state = 'settled' AND i.settled_at < now() - interval '1 hour'))`,
  });
}
