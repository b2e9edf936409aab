import {
  type EarlierObservations,
  observedFieldsSchema,
  type RecordedObservation,
} from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";

/**
 * Keeps what settled calls observed, from `responses.effects`. Called after the artifacts are public, in the same
 * transaction. The second observation at a block, and the second first observation, change nothing.
 */
export async function recordObservations(tx: Queryable, invocationIds: readonly string[]): Promise<void> {
  if (invocationIds.length === 0) return;
  await tx.query({
    name: "observations_record",
    text: `WITH given AS (
             SELECT effects->'observation'->>'address' AS address, effects->'observation'->'fields' AS fields,
               effects->'artifact'->>'artifactId' AS artifact_id,
               (effects->'artifact'->'block'->>'number')::bigint AS block_number,
               effects->'artifact'->'block'->>'hash' AS block_hash
             FROM responses WHERE invocation_id = ANY($1) AND json_typeof(effects->'observation') = 'object'),
           kept AS (
             INSERT INTO observations (address, block_number, block_hash, artifact_id, fields)
             SELECT address, block_number, block_hash, artifact_id, fields FROM given ORDER BY address, block_number
             ON CONFLICT (address, block_number) DO NOTHING)
           INSERT INTO contract_baselines (address, block_number)
           SELECT address, min(block_number) FROM given GROUP BY address ORDER BY address
           ON CONFLICT (address) DO NOTHING`,
    values: [invocationIds],
  });
}

interface ObservationRow {
  /** Which question it answers, from 1. */
  position: bigint;
  is_baseline: boolean;
  block_number: bigint;
  block_hash: Hex;
  artifact_id: string;
  fields: unknown;
}

export function findEarlierObservations(
  database: Database,
  address: Hex,
  blockNumber: number,
): Promise<EarlierObservations> {
  return database.batch("observations", { address, blockNumber }, async (questions) => {
    const rows = await database.query<ObservationRow>({
      name: "observations_earlier",
      text: `WITH q AS (
               SELECT * FROM ROWS FROM (json_to_recordset($1) AS (address text, "blockNumber" bigint))
                 WITH ORDINALITY AS q (address, block_number, position))
             SELECT q.position, false AS is_baseline, o.block_number, o.block_hash, o.artifact_id, o.fields
             FROM q CROSS JOIN LATERAL (
               SELECT * FROM observations WHERE address = q.address AND block_number <= q.block_number
               ORDER BY block_number DESC LIMIT 1) o
             UNION ALL
             SELECT q.position, true, o.block_number, o.block_hash, o.artifact_id, o.fields
             FROM q JOIN contract_baselines b ON b.address = q.address AND b.block_number <= q.block_number
             JOIN observations o ON o.address = b.address AND o.block_number = b.block_number`,
      values: [JSON.stringify(questions)],
    });
    const find = (position: number, isBaseline: boolean): RecordedObservation | null => {
      const row = rows.find((one) => Number(one.position) === position && one.is_baseline === isBaseline);
      return row ? fromRow(row) : null;
    };
    return questions.map((_, index) => ({
      previous: find(index + 1, false),
      baseline: find(index + 1, true),
    }));
  });
}

function fromRow(row: ObservationRow): RecordedObservation {
  return {
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    artifactId: row.artifact_id,
    fields: observedFieldsSchema.parse(row.fields),
  };
}
