import type { CacheStatus } from "@assay/protocol";

/** What the market has to know of a call whose payment has just settled. */
export interface SettledCall {
  readonly invocationId: string;
  readonly capabilityId: string;
  readonly inputHash: string;
  /** Of the answer; null for what is not one. Only a shared answer is found by it. */
  readonly artifactId: string | null;
  /** Lowercase. */
  readonly payer: string;
  readonly actualStatus: CacheStatus;
  /** What was paid in cash. */
  readonly priceMicroUsd: bigint;
  readonly creditMicroUsd: bigint;
  /** One for all calls of a transaction. */
  readonly settledAt: Date;
  /** From reservation to settlement, rounded up. */
  readonly tookMs: number;
  /** The input whose seed this call reused: its own for an answer, the fingerprint's for a part; null for new work. */
  readonly reusedInputHash: string | null;
  /** Null when the answer is somebody's earlier one, or private. */
  readonly computed: ComputedEvidence | null;
}

/** What a call left for others to reuse. */
export interface ComputedEvidence {
  /** When the answer ends. */
  readonly freshUntilMs: number;
  /** Whose code the answer rests on; null where none was read. */
  readonly address: string | null;
  /** keccak256 of that code; null for an account without code. */
  readonly codeHash: string | null;
}
