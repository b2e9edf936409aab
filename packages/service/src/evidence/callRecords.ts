import type { CallRecord } from "@assay/capabilities";
import type { Queryable } from "../store/database.js";

interface CallRow {
  capability_id: string;
  capability_version: string;
  input_hash: string;
  state: string;
  payer: string;
  result_hash: string;
  reserved_at_block: bigint;
  created_at: Date;
}

/** A paid call as it is on record, without its question and its answer. */
export async function findCallRecord(db: Queryable, invocationId: string): Promise<CallRecord | undefined> {
  const [row] = await db.query<CallRow>({
    name: "call_record",
    text: `SELECT capability_id, capability_version, input_hash, state, payer, result_hash, reserved_at_block, created_at
           FROM invocations WHERE invocation_id = $1`,
    values: [invocationId],
  });
  return (
    row && {
      capabilityId: row.capability_id,
      capabilityVersion: row.capability_version,
      inputHash: row.input_hash,
      state: row.state,
      payer: row.payer,
      resultHash: row.result_hash,
      reservedAtBlock: Number(row.reserved_at_block),
      reservedAtMs: row.created_at.getTime(),
    }
  );
}
