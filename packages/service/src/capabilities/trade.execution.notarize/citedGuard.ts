import { AssayError, type DecodedTransaction } from "@assay/protocol";
import { guardedHash, type TradeExecutionReadings } from "@assay/rules";
import type { GatherContext } from "../types.js";

interface GuardRow {
  capability_id: string;
  capability_version: string;
  input_hash: string;
  state: string;
  payer: string;
  result_hash: string;
  reserved_at_block: bigint;
  created_at: Date;
}

const GUARDS = ["amm.swap.guard", "transaction.intent.guard"] as const;
const isGuard = (id: string): id is (typeof GUARDS)[number] => GUARDS.some((guard) => guard === id);

/** What is told of the cited call beside that transaction. */
export type CiteGuard = (
  transaction: DecodedTransaction | null,
) => NonNullable<TradeExecutionReadings["guard"]>;

/**
 * The record of a guard's call, if `payer` paid for it. A guard's question is private: only who asked it may have the
 * service say in public what it was about. Throws `not_found`, `invalid_input`, `foreign_invocation` or
 * `invocation_not_settled`.
 */
export async function getCitedGuard(
  { database, publicUrl, payer }: GatherContext,
  invocationId: string,
): Promise<CiteGuard> {
  const [row] = await database.query<GuardRow>({
    name: "cited_guard",
    text: `SELECT capability_id, capability_version, input_hash, state, payer, result_hash, reserved_at_block, created_at
           FROM invocations WHERE invocation_id = $1`,
    values: [invocationId],
  });
  if (!row) throw new AssayError("not_found", "No invocation has the id guardInvocationId.");
  const { capability_id: capabilityId, capability_version: capabilityVersion } = row;
  if (row.payer.toLowerCase() !== payer?.toLowerCase())
    throw new AssayError(
      "foreign_invocation",
      "guardInvocationId was paid for by another wallet than this call.",
    );
  if (!isGuard(capabilityId)) {
    const rule = `must be a call of ${GUARDS.join(" or ")}`;
    throw new AssayError("invalid_input", `guardInvocationId ${rule}.`, {
      fields: [{ field: "guardInvocationId", rule }],
    });
  }
  if (row.state !== "settled")
    throw new AssayError("invocation_not_settled", "The guard's call guardInvocationId was not settled.");
  return (transaction) => {
    const isSame =
      transaction !== null && row.input_hash === guardedHash(capabilityId, capabilityVersion, transaction);
    return {
      invocationId,
      capabilityId,
      capabilityVersion,
      inputHash: isSame ? row.input_hash : null,
      resultHash: row.result_hash,
      reservedAtBlock: Number(row.reserved_at_block),
      reservedAtMs: row.created_at.getTime(),
      receiptUrl: `${publicUrl}/api/v1/receipts/${invocationId}`,
    };
  };
}
