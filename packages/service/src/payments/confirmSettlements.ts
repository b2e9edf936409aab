import { z } from "zod";
import type { Metrics } from "../base/metrics.js";
import { appendLeaves, UNRECORDED } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";
import type { Facilitator } from "./facilitator.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "./invocations.js";
import { type KeptAuthorization, toPayment } from "./keptPayment.js";
import { readPaymentFate, transferOf } from "./paymentFate.js";
import type { SettlementContext } from "./paymentsContext.js";
import { readTransferLogs } from "./settlement/transferCall.js";

/** After which a payment that could not be decided is checked again. */
const RECHECK_SECONDS = 30;

export type ConfirmContext = SettlementContext & {
  readonly facilitator: Facilitator;
  readonly metrics: Metrics;
};

type UnfinalRow = InvocationRow & KeptAuthorization;

const minedSchema = z
  .object({
    status: z.string(),
    blockNumber: z.string(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
  })
  .nullable();

/**
 * Checks settled payments again when blocks as old as theirs are final. A reorganisation may have undone one: then it is
 * delivered again while its authorization is valid, and recorded as `reorged` when it is not.
 */
export async function confirmSettlements(context: ConfirmContext, limit: number): Promise<number> {
  const finalized = await context.chain.findFinalizedBlock();
  if (!finalized) return 0;
  const rows = await claimDue(context, finalized.timestamp, limit);
  const found = await readMined(context, rows.map(transactionOf));
  const isPaid = (row: UnfinalRow) => isPaidIn(found.get(transactionOf(row)) ?? null, invocationFromRow(row));
  const isFinal = (row: UnfinalRow) =>
    isPaid(row) && Number(found.get(transactionOf(row))?.blockNumber) <= finalized.number;
  await forget(
    context.database,
    rows.filter(isFinal).map((row) => row.invocation_id),
  );
  // One payment that no node can show must not hold up those behind it.
  for (const row of rows.filter((one) => found.has(transactionOf(one)) && !isPaid(one)))
    await repair(context, row).catch((err: unknown) =>
      context.logger.warn({ err, invocationId: row.invocation_id }, "settlement not confirmed"),
    );
  return rows.length;
}

const transactionOf = (row: UnfinalRow) => (row.redelivered_by ?? row.transaction_hash) as string;

/** The logs decide, not the status alone: a batch that is mined again after a reorganisation succeeds even if this payment in it fails. */
const isPaidIn = (mined: z.output<typeof minedSchema>, invocation: Invocation): boolean =>
  mined?.status === "0x1" && readTransferLogs(mined.logs, transferOf(invocation)) === "paid";

/** Any number of processes may run this: each row is claimed by pushing its next check forward. */
async function claimDue(
  { database }: ConfirmContext,
  finalizedAtSeconds: number,
  limit: number,
): Promise<UnfinalRow[]> {
  await database.query({
    name: "unfinal_uncharged",
    text: `DELETE FROM unfinal_settlements u USING invocations i
           WHERE u.invocation_id = i.invocation_id AND i.state IN ('void', 'failed')`,
  });
  return database.query<UnfinalRow>({
    name: "unfinal_due",
    text: `UPDATE unfinal_settlements u SET next_check = now() + ($1::int * interval '1 second')
           FROM invocations i
           WHERE i.invocation_id = u.invocation_id AND u.invocation_id IN (
             SELECT invocation_id FROM unfinal_settlements JOIN invocations USING (invocation_id)
             WHERE next_check <= now() AND state = 'settled' AND settled_at <= to_timestamp($2)
             ORDER BY next_check LIMIT $3 FOR UPDATE OF unfinal_settlements SKIP LOCKED)
           RETURNING i.*, u.valid_after, u.signature`,
    values: [RECHECK_SECONDS, finalizedAtSeconds, limit],
  });
}

/** The transaction of this payment is gone, or no longer pays for it. */
async function repair(context: ConfirmContext, row: UnfinalRow): Promise<void> {
  const invocation = invocationFromRow(row);
  const fate = await readPaymentFate(context, invocation);
  if (fate.status === "paid") return recordReorg(context, invocation, fate.transaction);
  if (fate.status === "dead") return recordReorg(context, invocation, null);
  if (invocation.validBefore <= BigInt(Math.floor(Date.now() / 1000))) return;
  const payment = toPayment(context.settings, invocation, row);
  // No gas is spent on what the token would refuse now.
  if ((await context.facilitator.verify(payment, payment.accepted)).status !== "valid") return;
  const outcome = await context.facilitator.settle(payment, payment.accepted, { atAnyCost: true });
  if (outcome.status === "settled") await recordReorg(context, invocation, outcome.transaction);
}

/**
 * What the chain says of these transactions, null for one that it has not mined. Many payments share one, so each is asked for once,
 * and all of them together. Those that no node answered about are left out.
 */
async function readMined(
  { chain, logger }: ConfirmContext,
  transactions: readonly string[],
): Promise<ReadonlyMap<string, z.output<typeof minedSchema>>> {
  const found = new Map<string, z.output<typeof minedSchema>>();
  const ask = async (transaction: string) => {
    const receipt = await chain.request("eth_getTransactionReceipt", [transaction]);
    found.set(transaction, minedSchema.parse(receipt));
  };
  await Promise.all(
    [...new Set(transactions)].map((transaction) =>
      ask(transaction).catch((err: unknown) => logger.warn({ err, transaction }, "settlement not confirmed")),
    ),
  );
  return found;
}

async function forget(db: Queryable, invocationIds: readonly string[]): Promise<void> {
  if (invocationIds.length === 0) return;
  await db.query({
    name: "unfinal_forget",
    text: "DELETE FROM unfinal_settlements WHERE invocation_id = ANY($1)",
    values: [invocationIds],
  });
}

/** A transaction that the log names is gone. `replacement` pays in its place, or nothing does, for ever. */
async function recordReorg(
  context: ConfirmContext,
  { invocationId, transactionHash }: Invocation,
  replacement: string | null,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const moved = await tx.query({
      name: "invocation_undone",
      text: `UPDATE invocations SET redelivered_by = $2, state = CASE WHEN $2 IS NULL THEN 'reorged' ELSE state END,
               failure = CASE WHEN $2 IS NULL THEN 'a reorganisation of the chain undid the payment' END
             WHERE invocation_id = $1 AND state = 'settled' AND ($2::text IS NULL OR redelivered_by IS DISTINCT FROM $2)
             RETURNING invocation_id`,
      values: [invocationId, replacement],
    });
    if (moved.length === 0) return;
    if (replacement === null) await forget(tx, [invocationId]);
    const content = { invocationId, transaction: transactionHash, replacement };
    await appendLeaves(tx, [{ kind: "reorg", subject: invocationId, content }], UNRECORDED);
  });
  const outcome = replacement === null ? "reorged" : "redelivered";
  context.metrics.undoneSettlements.inc({ outcome });
  context.logger.warn({ invocationId, transaction: transactionHash, replacement }, `settlement ${outcome}`);
}
