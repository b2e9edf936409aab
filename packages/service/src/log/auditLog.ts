import { findFault } from "./logFault.js";
import { getLogSize, type LogContext, lockSigning, signHead, verifyRows } from "./signedHeads.js";

/** Any fixed number; processes that audit at the same time would only repeat each other. */
const LOCK_KEY = 8453_0004;
/** Leaves hashed again in one run. */
const SLICE_LEAVES = 200_000;

/**
 * Hashes the whole log again, or its next slice where it is long, and signs the present head if both are correct. A
 * fault stops all signing; the same slice is checked again until it is correct.
 */
export async function auditLog(context: LogContext, sliceLeaves = SLICE_LEAVES): Promise<void> {
  const fault = await context.database.transaction(async (tx) => {
    const [audit] = await tx.query<{ next_leaf: bigint; is_ours: boolean }>({
      text: "SELECT next_leaf, pg_try_advisory_xact_lock($1) AS is_ours FROM log_audit",
      values: [LOCK_KEY],
    });
    if (!audit?.is_ours) return null;
    const size = await getLogSize(tx);
    const from = size <= sliceLeaves || audit.next_leaf >= size ? 0 : Number(audit.next_leaf);
    const to = Math.min(from + sliceLeaves, size);
    const inSlice = await findFault(verifyRows(tx, from, to));
    await lockSigning(tx);
    const found = inSlice ?? (await findFault(signHead(tx, context.logSigner)));
    await tx.query({
      text: "UPDATE log_audit SET fault = $1, next_leaf = $2",
      values: [found, inSlice !== null ? from : to < size ? to : 0],
    });
    return found;
  });
  if (fault !== null) context.logger.error({ fault }, "the transparency log is inconsistent");
}
