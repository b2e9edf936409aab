import type { ArtifactRecord, StoredArtifact } from "@assay/capabilities";
import type { Hex, ResultBody, Verdict } from "@assay/protocol";
import type { Queryable } from "../store/database.js";

export interface ArtifactRow {
  artifact_id: string;
  capability_id: string;
  capability_version: string;
  input_hash: string;
  input: Record<string, unknown>;
  verdict: Verdict;
  block_number: bigint;
  block_hash: Hex;
  block_timestamp: bigint;
  valid_until_block: bigint;
  fresh_until: Date;
}

export function artifactFromRow(row: ArtifactRow): ArtifactRecord {
  return {
    artifactId: row.artifact_id,
    capabilityId: row.capability_id,
    capabilityVersion: row.capability_version,
    inputHash: row.input_hash,
    input: row.input,
    verdict: row.verdict,
    block: { number: Number(row.block_number), hash: row.block_hash, timestamp: Number(row.block_timestamp) },
    validUntilBlock: Number(row.valid_until_block),
    freshUntilMs: row.fresh_until.getTime(),
  };
}

/** When the newest settled answer to this question that is inside its window, by block and by clock, ends by the clock. */
export async function findFreshEnd(
  db: Queryable,
  inputHash: string,
  headBlock: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ fresh_until: Date }>({
    name: "artifact_fresh_end",
    text: `SELECT fresh_until FROM artifacts
           WHERE input_hash = $1 AND valid_until_block >= $2 AND block_number <= $2 AND fresh_until > now()
           ORDER BY block_number DESC LIMIT 1`,
    values: [inputHash, headBlock],
  });
  return row?.fresh_until.getTime();
}

function withResult(row: ArtifactRow & { body: Buffer }): StoredArtifact {
  const { result } = JSON.parse(row.body.toString("utf8")) as { result: ResultBody };
  return { ...artifactFromRow(row), result };
}

/** A shared answer by its id, whether or not its window is open. */
export async function findArtifact(db: Queryable, artifactId: string): Promise<ArtifactRecord | undefined> {
  const [row] = await db.query<ArtifactRow>({
    name: "artifact_find",
    text: "SELECT * FROM artifacts WHERE artifact_id = $1",
    values: [artifactId],
  });
  return row && artifactFromRow(row);
}

/** The same with the result that was sold. */
export async function findArtifactAnswer(
  db: Queryable,
  artifactId: string,
): Promise<StoredArtifact | undefined> {
  const [row] = await db.query<ArtifactRow & { body: Buffer }>({
    name: "artifact_answer_find",
    text: "SELECT a.*, r.body FROM artifacts a JOIN responses r USING (invocation_id) WHERE artifact_id = $1",
    values: [artifactId],
  });
  return row && withResult(row);
}

/** What is fresh right now, for a process that has just started. */
export async function listFreshArtifacts(db: Queryable, limit: number): Promise<ArtifactRecord[]> {
  const rows = await db.query<ArtifactRow>({
    text: "SELECT * FROM artifacts WHERE fresh_until > now() ORDER BY created_at DESC LIMIT $1",
    values: [limit],
  });
  return rows.map(artifactFromRow);
}
