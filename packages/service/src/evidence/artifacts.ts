import type { Hex, ResultBody, Verdict } from "@assay/protocol";
import type { Queryable } from "../store/database.js";

/** A reusable answer, stored once a payment for it settled. */
export interface StoredArtifact {
  readonly artifactId: string;
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly inputHash: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict;
  readonly result: ResultBody;
  readonly block: { readonly number: number; readonly hash: Hex; readonly timestamp: number };
  readonly validUntilBlock: number;
  /** Wall-clock end of freshness; guards against a chain that stopped or was rewound. */
  readonly freshUntilMs: number;
}

interface ArtifactRow {
  artifact_id: string;
  capability_id: string;
  capability_version: string;
  input_hash: string;
  input: Record<string, unknown>;
  verdict: Verdict;
  result: ResultBody;
  block_number: bigint;
  block_hash: Hex;
  block_timestamp: bigint;
  valid_until_block: bigint;
  fresh_until: Date;
}

const COLUMNS = `artifact_id, capability_id, capability_version, input_hash, input, verdict, result,
  block_number, block_hash, block_timestamp, valid_until_block, fresh_until`;

function fromRow(row: ArtifactRow): StoredArtifact {
  return {
    artifactId: row.artifact_id,
    capabilityId: row.capability_id,
    capabilityVersion: row.capability_version,
    inputHash: row.input_hash,
    input: row.input,
    verdict: row.verdict,
    result: row.result,
    block: { number: Number(row.block_number), hash: row.block_hash, timestamp: Number(row.block_timestamp) },
    validUntilBlock: Number(row.valid_until_block),
    freshUntilMs: row.fresh_until.getTime(),
  };
}

/** The newest answer to this question that is still inside its window, by block and by clock. */
export async function findFreshArtifact(
  db: Queryable,
  inputHash: string,
  headBlock: number,
): Promise<StoredArtifact | undefined> {
  const [row] = await db.query<ArtifactRow>({
    name: "artifact_fresh",
    text: `SELECT ${COLUMNS} FROM artifacts
           WHERE input_hash = $1 AND valid_until_block >= $2 AND block_number <= $2 AND fresh_until > now()
           ORDER BY block_number DESC LIMIT 1`,
    values: [inputHash, headBlock],
  });
  return row && fromRow(row);
}

export async function insertArtifact(tx: Queryable, artifact: StoredArtifact): Promise<void> {
  await tx.query({
    name: "artifact_insert",
    text: `INSERT INTO artifacts (${COLUMNS})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0))
           ON CONFLICT (artifact_id) DO NOTHING`,
    values: [
      artifact.artifactId,
      artifact.capabilityId,
      artifact.capabilityVersion,
      artifact.inputHash,
      JSON.stringify(artifact.input),
      artifact.verdict,
      JSON.stringify(artifact.result),
      artifact.block.number,
      artifact.block.hash,
      artifact.block.timestamp,
      artifact.validUntilBlock,
      artifact.freshUntilMs,
    ],
  });
}

/** What is fresh right now, for a process that has just started. */
export async function listFreshArtifacts(db: Queryable, limit: number): Promise<StoredArtifact[]> {
  const rows = await db.query<ArtifactRow>({
    text: `SELECT ${COLUMNS} FROM artifacts WHERE fresh_until > now() ORDER BY created_at DESC LIMIT $1`,
    values: [limit],
  });
  return rows.map(fromRow);
}
