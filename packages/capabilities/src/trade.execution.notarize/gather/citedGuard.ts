import { AssayError, type DecodedTransaction } from "@assay/protocol";
import type { GatherContext } from "../../gathering.js";
import { guardedHash } from "../judgeGuard.js";
import type { TradeExecutionReadings } from "../readings.js";

const GUARDS = ["amm.swap.guard", "transaction.intent.guard"] as const;
const isGuard = (id: string): id is (typeof GUARDS)[number] => GUARDS.some((guard) => guard === id);

/** What the answer reports about the cited call. */
type CiteGuard = (transaction: DecodedTransaction | null) => NonNullable<TradeExecutionReadings["guard"]>;

/**
 * The record of a guard call, if `payer` paid for it. A guard's question is private: only the wallet that asked it may
 * have the service state in public what it was about. Throws `not_found`, `invalid_input`, `foreign_invocation` or
 * `invocation_not_settled`.
 */
export async function getCitedGuard(
  { records, publicUrl, payer }: GatherContext,
  invocationId: string,
): Promise<CiteGuard> {
  const call = await records.findCall(invocationId);
  if (!call) throw new AssayError("not_found", "No invocation has the id guardInvocationId.");
  const { capabilityId, capabilityVersion, inputHash } = call;
  if (call.payer.toLowerCase() !== payer?.toLowerCase())
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
  if (call.state !== "settled")
    throw new AssayError("invocation_not_settled", "The guard's call guardInvocationId was not settled.");
  return (transaction) => {
    const isSame =
      transaction !== null && inputHash === guardedHash(capabilityId, capabilityVersion, transaction);
    return {
      invocationId,
      capabilityId,
      capabilityVersion,
      inputHash: isSame ? inputHash : null,
      resultHash: call.resultHash,
      reservedAtBlock: call.reservedAtBlock,
      reservedAtMs: call.reservedAtMs,
      receiptUrl: `${publicUrl}/api/v1/receipts/${invocationId}`,
    };
  };
}
