import type { InvocationState } from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import { moveCredits, releaseMove } from "../credits/ledger.js";
import { appendLeaves, creditLeaf, type Leaf, UNRECORDED } from "../log/appendLeaves.js";
import { recordFailure } from "../market/recordStats.js";
import { releaseQuote } from "../quotes/quotes.js";
import type { Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "./invocations.js";

/** reserved → void, by the attempt that owns it or by anyone once its lease ended. */
export async function finishVoid(
  context: BaseContext,
  invocation: Invocation,
  reason: string,
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

/** settling or unknown → failed: certain that this authorization moved no money to us and will move none. */
export const finishFailed = (context: BaseContext, invocation: Invocation, reason: string) =>
  fail(context, invocation, reason, ["settling", "unknown"]);

/**
 * settling → failed, by the process that did not settle it. False where another process has taken the call over meanwhile: that
 * one may be delivering the payment again, so only the chain knows.
 */
export const finishUnsettled = (context: BaseContext, invocation: Invocation, reason: string) =>
  fail(context, invocation, reason, ["settling"]);

async function fail(
  context: BaseContext,
  invocation: Invocation,
  reason: string,
  states: readonly InvocationState[],
): Promise<boolean> {
  return context.database.transaction(async (tx) => {
    const [row] = await tx.query<InvocationRow>({
      name: "invocation_failed",
      text: `UPDATE invocations SET state = 'failed', failure = $2, lease_until = now()
             WHERE invocation_id = $1 AND state = ANY($3) RETURNING *`,
      values: [invocation.invocationId, reason.slice(0, 500), states],
    });
    if (row) {
      const leaves = await release(tx, row);
      await inOrder(tx, [
        (tx) => recordFailure(tx, row.capability_id, context.settings.isSimulated(row.payer)),
        (tx) => appendLeaves(tx, leaves, UNRECORDED),
      ]);
    }
    context.failpoints.reach("inside_failed");
    return row !== undefined;
  });
}

/** Nothing was charged and nothing will be: the quote and the credit go back to the wallet. Returns what the log records. */
async function release(tx: Transaction, row: InvocationRow): Promise<Leaf[]> {
  const { invocationId, payer, quoteId, creditHold, creditMicroUsd } = invocationFromRow(row);
  if (quoteId) await releaseQuote(tx, quoteId, invocationId);
  if (!creditHold) return [];
  const [, entries] = await inOrder(tx, [
    (tx) =>
      tx.query({
        name: "invocation_credit_released",
        text: "UPDATE invocations SET credit_hold = NULL WHERE invocation_id = $1",
        values: [invocationId],
      }),
    (tx) => moveCredits(tx, [releaseMove(payer, creditHold, creditMicroUsd)]),
  ]);
  return entries.map(creditLeaf);
}
