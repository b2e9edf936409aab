import { randomBytes } from "node:crypto";
import { type Hex, NETWORK, type Publication, type PublicationRequest } from "@assay/protocol";
import type { Leaf } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";

/** What a publication states, and what the chain says at its block. */
export interface CodeFacts {
  /** keccak256 of the code; null for an account without code. */
  readonly bytecodeHash: Hex | null;
  readonly bytecodeBytes: number;
}

/** The outcome of recomputing a publication. */
export interface Audit {
  readonly observed: CodeFacts;
  readonly blockHash: Hex;
}

interface PublicationRow {
  publication_id: string;
  wallet: Hex;
  capability_id: string;
  address: Hex;
  bytecode_hash: Hex | null;
  bytecode_bytes: bigint;
  computed_at_block: bigint;
  audit: Publication["audit"];
  observed_hash: Hex | null;
  observed_bytes: bigint;
  block_hash: Hex;
  published_at: Date;
  log_index: bigint | null;
}

function publicationFromRow(row: PublicationRow): Publication {
  return {
    publicationId: row.publication_id,
    capabilityId: row.capability_id,
    wallet: row.wallet,
    address: row.address,
    bytecodeHash: row.bytecode_hash,
    bytecodeBytes: Number(row.bytecode_bytes),
    computedAtBlock: Number(row.computed_at_block),
    blockHash: row.block_hash,
    audit: row.audit,
    observed: { bytecodeHash: row.observed_hash, bytecodeBytes: Number(row.observed_bytes) },
    publishedAt: row.published_at.toISOString(),
    logIndex: row.log_index === null ? null : Number(row.log_index),
  };
}

/** The burned publication that says the very same, if this wallet made one. */
export async function findBurned(
  db: Queryable,
  { wallet, address, bytecodeHash, bytecodeBytes, computedAtBlock }: PublicationRequest,
): Promise<Publication | undefined> {
  const [row] = await db.query<PublicationRow>({
    name: "publication_burned",
    text: `SELECT * FROM publications
           WHERE audit = 'failed' AND wallet = $1 AND address = $2 AND computed_at_block = $3
             AND bytecode_bytes = $4 AND coalesce(bytecode_hash, '') = coalesce($5, '')`,
    values: [wallet, address.toLowerCase(), computedAtBlock, bytecodeBytes, bytecodeHash],
  });
  return row && publicationFromRow(row);
}

/** The newest first. */
export async function listPublications(db: Queryable, wallet: string, limit: number): Promise<Publication[]> {
  const rows = await db.query<PublicationRow>({
    name: "publications_of_wallet",
    text: "SELECT * FROM publications WHERE wallet = $1 ORDER BY published_at DESC LIMIT $2",
    values: [wallet, limit],
  });
  return rows.map(publicationFromRow);
}

/**
 * Writes an audited publication down and counts it for its wallet. Undefined when the same statement was burned
 * meanwhile. The log records it when somebody first pays for its use (`listUsedPublications`): what is free must not grow
 * what is kept for ever.
 */
export async function createPublication(
  tx: Queryable,
  request: PublicationRequest,
  { observed, blockHash }: Audit,
  audit: "passed" | "failed",
): Promise<Publication | undefined> {
  const { wallet, capabilityId, address, bytecodeHash, bytecodeBytes, computedAtBlock } = request;
  const [row] = await tx.query<PublicationRow>({
    name: "publication_create",
    text: `INSERT INTO publications (publication_id, wallet, capability_id, address, bytecode_hash, bytecode_bytes,
             computed_at_block, audit, observed_hash, observed_bytes, block_hash)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING *`,
    values: [
      `pub_${randomBytes(16).toString("hex")}`,
      wallet,
      capabilityId,
      address.toLowerCase(),
      bytecodeHash,
      bytecodeBytes,
      computedAtBlock,
      audit,
      observed.bytecodeHash,
      observed.bytecodeBytes,
      blockHash,
    ],
  });
  if (!row) return undefined;
  await tx.query({
    name: "publication_count",
    text: `INSERT INTO publishers (wallet, passed, passed_with_code, failed, seeded, first_passed_at, last_failed_at)
           SELECT $1, passed, passed * $3::int, 1 - passed, passed, CASE passed WHEN 1 THEN now() END,
             CASE passed WHEN 0 THEN now() END
           FROM (SELECT $2::int AS passed) AS outcome
           ON CONFLICT (wallet) DO UPDATE
             SET passed = publishers.passed + excluded.passed,
                 passed_with_code = publishers.passed_with_code + excluded.passed_with_code, failed = publishers.failed + excluded.failed,
                 seeded = publishers.seeded + excluded.seeded,
                 first_passed_at = coalesce(publishers.first_passed_at, excluded.first_passed_at),
                 last_failed_at = coalesce(excluded.last_failed_at, publishers.last_failed_at)`,
    values: [wallet, audit === "passed" ? 1 : 0, observed.bytecodeHash === null ? 0 : 1],
  });
  return publicationFromRow(row);
}

/** The publications that these first uses are of, locked, and not in the log yet. */
export async function listUsedPublications(
  tx: Queryable,
  uses: readonly { readonly wallet: string; readonly publishedAt: string }[],
): Promise<Publication[]> {
  if (uses.length === 0) return [];
  const rows = await tx.query<PublicationRow>({
    name: "publications_used",
    text: `SELECT p.* FROM publications p
           WHERE (wallet, published_at) IN (SELECT * FROM unnest($1::text[], $2::timestamptz[]))
             AND audit = 'passed' AND log_index IS NULL
           ORDER BY publication_id FOR UPDATE`,
    values: [uses.map(({ wallet }) => wallet), uses.map(({ publishedAt }) => publishedAt)],
  });
  return rows.map(publicationFromRow);
}

/** A publication that was used is public for ever. */
export const publicationLeaf = ({ publicationId, logIndex: _, ...content }: Publication): Leaf => ({
  kind: "publication",
  subject: publicationId,
  content: { publicationId, network: NETWORK, ...content },
});

/** For `appendLeaves`: each publication learns its place in the log. */
export const PUBLICATION_PLACES = {
  name: "log_publications",
  text: "UPDATE publications SET log_index = leaf_index FROM appended WHERE publication_id = subject",
};

export async function getPublication(db: Queryable, publicationId: string): Promise<Publication> {
  const [row] = await db.query<PublicationRow>({
    name: "publication_find",
    text: "SELECT * FROM publications WHERE publication_id = $1",
    values: [publicationId],
  });
  if (!row) throw new Error(`publication ${publicationId} is gone`);
  return publicationFromRow(row);
}
