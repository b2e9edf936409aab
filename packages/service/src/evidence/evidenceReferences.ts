import type { ArtifactRecord, EvidenceSource } from "@assay/capabilities";
import { capabilities } from "@assay/capabilities";
import { AssayError, resultHashOf } from "@assay/protocol";
import type { Queryable } from "../store/database.js";
import { findArtifact, findArtifactAnswer } from "./artifacts.js";

const PRIVATE_CAPABILITIES = capabilities.filter(({ reuse }) => reuse === "private").map(({ id }) => id);

/** The shared artifact of this id. Throws `private_artifact` or `not_found`. */
export async function getSharedArtifact(db: Queryable, artifactId: string): Promise<ArtifactRecord> {
  return (await findArtifact(db, artifactId)) ?? (await refuse(db, artifactId));
}

/** The same, with the parts of its stored answer. */
export async function getEvidenceSource(db: Queryable, artifactId: string): Promise<EvidenceSource> {
  const answer = (await findArtifactAnswer(db, artifactId)) ?? (await refuse(db, artifactId));
  const { result, ...artifact } = answer;
  const paths = (part: "readings" | "findings") =>
    Object.keys(result.evidence[part] ?? {}).map((name) => `result.evidence.${part}.${name}`);
  return {
    artifact,
    resultHash: resultHashOf(artifact.verdict, result),
    fieldPaths: [...paths("readings"), ...paths("findings")],
    ttlSeconds: (result.evidence.validity as { ttlSeconds: number }).ttlSeconds,
  };
}

/** Ids of private answers are recorded only with the calls that bought them; an unpaid shared answer has no record yet. */
async function refuse(db: Queryable, artifactId: string): Promise<never> {
  const sold = await db.query({
    name: "artifact_is_private",
    text: "SELECT FROM invocations WHERE artifact_id = $1 AND capability_id = ANY($2) LIMIT 1",
    values: [artifactId, PRIVATE_CAPABILITIES],
  });
  if (sold.length > 0)
    throw new AssayError("private_artifact", "This artifact is private to the wallet that paid for it.");
  throw new AssayError("not_found", "No shared artifact has that id.");
}
