import {
  AssayError,
  type Outcome,
  type OutcomeName,
  type OutcomeRequest,
  usdFromMicro,
} from "@assay/protocol";
import { type SignedAction, spendNonce } from "../actions/signedAction.js";
import type { BaseContext } from "../base/context.js";
import { issueMove, moveCredits } from "../credits/ledger.js";
import { appendLeaves, creditLeaf, UNRECORDED } from "../log/appendLeaves.js";
import type { Queryable, Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import { reviewCreditOf } from "./creditTerms.js";

export interface RecordedOutcome {
  /** False when the same outcome had been reported before. */
  readonly isNew: boolean;
  readonly outcome: Outcome;
}

/** Records how a settled call of one's own turned out. The first report earns a bounded credit; a second changes nothing. */
export function reportOutcome(
  context: BaseContext,
  request: OutcomeRequest,
  signed: SignedAction,
): Promise<RecordedOutcome> {
  return context.database.transaction(async (tx) => {
    await spendNonce(tx, signed);
    const call = await getOwnSettledCall(tx, request.invocationId, signed.wallet);
    const known = await findOutcome(tx, request.invocationId);
    if (known) return repeatOutcome(known, call, request);
    const { day, creditedMicroUsd } = await lockReviewDay(tx, signed.wallet);
    const creditMicroUsd = reviewCreditOf(call.price_micro_usd, creditedMicroUsd);
    const created = await createOutcome(tx, request, creditMicroUsd);
    // Two reports at once: the other one was first.
    if (!created) return repeatOutcome(await getOutcome(tx, request.invocationId), call, request);
    await credit(tx, request, day, creditMicroUsd);
    return { isNew: true, outcome: describe(created, call) };
  });
}

interface CallRow {
  capability_id: string;
  payer: string;
  state: string;
  price_micro_usd: bigint;
}

interface OutcomeRow {
  invocation_id: string;
  outcome: OutcomeName;
  note: string | null;
  review_credit_micro_usd: bigint;
  reported_at: Date;
}

const INVOCATION_ID = /^inv_[0-9a-f]{32}$/;

async function getOwnSettledCall(tx: Queryable, invocationId: string, wallet: string): Promise<CallRow> {
  // Callers send any text; what cannot be an id is not worth a query, and PostgreSQL refuses some of it (NUL).
  const [call] = INVOCATION_ID.test(invocationId)
    ? await tx.query<CallRow>({
        name: "outcome_call",
        text: "SELECT capability_id, payer, state, price_micro_usd FROM invocations WHERE invocation_id = $1",
        values: [invocationId],
      })
    : [];
  if (!call) throw new AssayError("not_found", "No invocation has that id.");
  if (call.payer !== wallet)
    throw new AssayError("foreign_invocation", "Only the wallet that paid for a call reports its outcome.");
  if (call.state !== "settled")
    throw new AssayError(
      "invocation_not_settled",
      `The invocation is ${call.state}; only settled ones count.`,
    );
  return call;
}

async function findOutcome(tx: Queryable, invocationId: string): Promise<OutcomeRow | undefined> {
  const [row] = await tx.query<OutcomeRow>({
    name: "outcome_find",
    text: "SELECT * FROM outcomes WHERE invocation_id = $1",
    values: [invocationId],
  });
  return row;
}

async function getOutcome(tx: Queryable, invocationId: string): Promise<OutcomeRow> {
  const row = await findOutcome(tx, invocationId);
  if (!row) throw new Error(`the outcome of ${invocationId} is gone`);
  return row;
}

/** Reports of one wallet wait here for each other, so that none counts on what another is about to take. */
async function lockReviewDay(
  tx: Transaction,
  wallet: string,
): Promise<{ readonly day: string; readonly creditedMicroUsd: bigint }> {
  const [, rows] = await inOrder(tx, [
    (tx) =>
      tx.query({
        name: "review_day_open",
        text: `INSERT INTO review_days (wallet, day, credited_micro_usd)
               VALUES ($1, (now() AT TIME ZONE 'utc')::date, 0) ON CONFLICT (wallet, day) DO NOTHING`,
        values: [wallet],
      }),
    (tx) =>
      tx.query<{ day: string; credited_micro_usd: bigint }>({
        name: "review_day_lock",
        text: `SELECT day::text, credited_micro_usd FROM review_days
               WHERE wallet = $1 AND day = (now() AT TIME ZONE 'utc')::date FOR UPDATE`,
        values: [wallet],
      }),
  ]);
  const [row] = rows;
  if (!row) throw new Error(`the review day of ${wallet} is gone`);
  return { day: row.day, creditedMicroUsd: row.credited_micro_usd };
}

async function createOutcome(
  tx: Queryable,
  { invocationId, wallet, outcome, note }: OutcomeRequest,
  creditMicroUsd: bigint,
): Promise<OutcomeRow | undefined> {
  const [row] = await tx.query<OutcomeRow>({
    name: "outcome_create",
    text: `INSERT INTO outcomes (invocation_id, wallet, outcome, note, review_credit_micro_usd)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (invocation_id) DO NOTHING RETURNING *`,
    values: [invocationId, wallet, outcome, note ?? null, creditMicroUsd],
  });
  return row;
}

async function credit(
  tx: Transaction,
  { invocationId, wallet }: OutcomeRequest,
  day: string,
  amountMicroUsd: bigint,
): Promise<void> {
  await tx.query({
    name: "review_count",
    text: `WITH spent AS (
             UPDATE review_days SET credited_micro_usd = credited_micro_usd + $3 WHERE wallet = $1 AND day = $2::date)
           INSERT INTO publishers (wallet, reviews, review_micro_usd) VALUES ($1, 1, $3)
           ON CONFLICT (wallet) DO UPDATE SET reviews = publishers.reviews + 1,
             review_micro_usd = publishers.review_micro_usd + excluded.review_micro_usd`,
    values: [wallet, day, amountMicroUsd],
  });
  if (amountMicroUsd === 0n) return;
  const entries = await moveCredits(tx, [issueMove(wallet, "review", invocationId, amountMicroUsd)]);
  await appendLeaves(tx, entries.map(creditLeaf), UNRECORDED);
}

function repeatOutcome(known: OutcomeRow, call: CallRow, { outcome }: OutcomeRequest): RecordedOutcome {
  if (known.outcome !== outcome) {
    throw new AssayError(
      "outcome_differs",
      `${known.outcome} was reported for this invocation at ${known.reported_at.toISOString()}; an outcome is reported once.`,
    );
  }
  return { isNew: false, outcome: describe(known, call) };
}

const describe = (row: OutcomeRow, call: CallRow): Outcome => ({
  invocationId: row.invocation_id,
  capabilityId: call.capability_id,
  outcome: row.outcome,
  reviewCreditUsd: usdFromMicro(row.review_credit_micro_usd),
  reportedAt: row.reported_at.toISOString(),
});
