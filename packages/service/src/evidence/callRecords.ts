import type { CallRecord } from "@assay/capabilities";
import type { Queryable } from "../store/database.js";
import { findPackedCall } from "./packedCalls.js";

interface CallRow {
  invocation_id: string;
  capability_id: string;
  capability_version: string;
  input_hash: string;
  state: string;
  payer: string;
  result_hash: string;
  reserved_at_block: bigint;
  created_at: Date;
  artifact_id: string | null;
  packed: Buffer | null;
}

/** A paid call as it is on record, without its question and its answer. */
export async function findCallRecord(db: Queryable, invocationId: string): Promise<CallRecord | undefined> {
  const [row] = await db.query<CallRow>({
    name: "call_record",
    text: `SELECT invocation_id, capability_id, capability_version, input_hash, state, payer, result_hash,
             reserved_at_block, created_at, artifact_id, packed
           FROM invocations WHERE invocation_id = $1`,
    values: [invocationId],
  });
  if (!row) return undefined;
  const columns = (await findPackedCall(db, row)) ?? row;
  return {
    capabilityId: row.capability_id,
    capabilityVersion: columns.capability_version,
    inputHash: columns.input_hash,
    state: row.state,
    payer: row.payer,
    resultHash: columns.result_hash,
    reservedAtBlock: Number(columns.reserved_at_block),
    reservedAtMs: row.created_at.getTime(),
  };
}
