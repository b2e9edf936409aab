import { randomBytes } from "node:crypto";
import type { ChallengeJudgement } from "@assay/capabilities";
import {
  type ChallengeEvidence,
  type ChallengeRecord,
  evidenceText,
  type Hex,
  NETWORK,
} from "@assay/protocol";
import type { Leaf } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";

interface ChallengeRow {
  challenge_id: string;
  wallet: Hex;
  evidence: string;
  resolution: ChallengeRecord["resolution"];
  observed: ChallengeRecord["observed"];
  submitted_at: Date;
  log_index: bigint | null;
}

const challengeFromRow = (row: ChallengeRow): ChallengeRecord => ({
  challengeId: row.challenge_id,
  wallet: row.wallet,
  evidence: JSON.parse(row.evidence),
  resolution: row.resolution,
  observed: row.observed,
  submittedAt: row.submitted_at.toISOString(),
  logIndex: row.log_index === null ? null : Number(row.log_index),
});

interface JudgedChallenge {
  readonly challengeId: string;
  readonly claimId: Hex;
  readonly wallet: Hex;
  readonly evidence: ChallengeEvidence;
  readonly resolution: ChallengeJudgement["resolution"];
  readonly observed: NonNullable<ChallengeRecord["observed"]>;
}

export const newChallengeId = (): string => `chl_${randomBytes(16).toString("hex")}`;

/** Records a judged challenge. The caller appends its leaf, and with it stores its place in the log. */
export async function createChallenge(tx: Queryable, challenge: JudgedChallenge): Promise<ChallengeRecord> {
  const { challengeId, claimId, wallet, evidence, resolution, observed } = challenge;
  const [row] = await tx.query<ChallengeRow>({
    name: "challenge_create",
    text: `INSERT INTO challenges (challenge_id, claim_id, wallet, evidence, resolution, observed)
           VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`,
    values: [challengeId, claimId, wallet, evidenceText(evidence), resolution, JSON.stringify(observed)],
  });
  if (!row) throw new Error("a challenge was not written");
  return challengeFromRow(row);
}

/** The log entry of a challenge: every challenge stays public, with any outcome. */
export const challengeLeaf = (
  claimId: Hex,
  { logIndex: _, challengeId, ...content }: ChallengeRecord,
): Leaf => ({
  kind: "challenge",
  subject: challengeId,
  content: { challengeId, claimId, network: NETWORK, ...content },
});

/** The newest first. */
export async function listChallenges(
  db: Queryable,
  claimId: string,
  limit: number,
): Promise<ChallengeRecord[]> {
  const rows = await db.query<ChallengeRow>({
    name: "challenges_of_claim",
    text: `SELECT * FROM challenges WHERE claim_id = $1
           ORDER BY submitted_at DESC, log_index DESC LIMIT $2`,
    values: [claimId, limit],
  });
  return rows.map(challengeFromRow);
}

export async function getChallenge(db: Queryable, challengeId: string): Promise<ChallengeRecord> {
  const [row] = await db.query<ChallengeRow>({
    name: "challenge_get",
    text: "SELECT * FROM challenges WHERE challenge_id = $1",
    values: [challengeId],
  });
  if (!row) throw new Error(`challenge ${challengeId} is gone`);
  return challengeFromRow(row);
}
