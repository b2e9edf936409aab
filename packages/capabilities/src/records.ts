import type { CanonicalClaim, ChallengeRecord, Hex, ResultBody, Verdict } from "@assay/protocol";
import type { RecordedObligation } from "./shared/claims/recordedObligation.js";
import type { RecordedObservation } from "./shared/observations/observedReadings.js";

/** A reusable answer without its result, which is kept with the response that was sold. */
export interface ArtifactRecord {
  readonly artifactId: string;
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly inputHash: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict;
  readonly block: { readonly number: number; readonly hash: Hex; readonly timestamp: number };
  readonly validUntilBlock: number;
  /** Wall-clock end of freshness; guards against a chain that stopped or was rewound. */
  readonly freshUntilMs: number;
}

export interface StoredArtifact extends ArtifactRecord {
  readonly result: ResultBody;
}

/** Where a shared answer came from, without its content, which was sold to somebody else. */
export interface EvidenceSource {
  readonly artifact: ArtifactRecord;
  readonly resultHash: string;
  readonly fieldPaths: readonly string[];
  readonly ttlSeconds: number;
}

/** What was known of an address before a block is read. */
export interface EarlierObservations {
  /** The newest at or below the block, from any payer's call. */
  readonly previous: RecordedObservation | null;
  /** The first ever made, where it is at or below the block. */
  readonly baseline: RecordedObservation | null;
}

/** An obligation as it is on record. */
export interface ObligationRecord {
  readonly claim: CanonicalClaim;
  readonly readings: RecordedObligation;
  readonly challengesTotal: number;
}

/** A paid call as it is on record, without its question and its answer. */
export interface CallRecord {
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly inputHash: string;
  readonly state: string;
  readonly payer: string;
  readonly resultHash: string;
  readonly reservedAtBlock: number;
  readonly reservedAtMs: number;
}

/** What earlier calls have left in the service's records. Nothing is written here: that happens when a payment settles. */
export interface Records {
  findEarlierObservations(address: Hex, blockNumber: number): Promise<EarlierObservations>;
  /** The function selectors that a settled call found in this code, at any address. */
  findSelectors(codeHash: Hex): Promise<readonly Hex[] | undefined>;
  /** Throws `not_found` or `private_artifact`. */
  getEvidenceSource(artifactId: string): Promise<EvidenceSource>;
  /** Throws `not_found`. */
  getObligation(obligationId: Hex): Promise<ObligationRecord>;
  listChallenges(claimId: Hex, limit: number): Promise<ChallengeRecord[]>;
  findCall(invocationId: string): Promise<CallRecord | undefined>;
}
