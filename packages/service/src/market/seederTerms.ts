/** What one seeded input can earn at most, in miss prices of its capability. */
export const CAP_IN_MISS_PRICES = 50n;
export const ATTESTED_CAP_IN_MISS_PRICES = 100n;
/** A failed audit takes the attestation away for this long. */
export const ATTESTATION_PAUSE_MS = 30 * 24 * 3600 * 1000;

/** What the audits of a wallet's publications add up to. */
export interface AuditRecord {
  /** Of publications about addresses that have code. */
  readonly passedWithCode: bigint;
  readonly lastFailedAt: Date | null;
}

/** At least one passed audit of code, and none failed within the last 30 days. */
export function isAttested({ passedWithCode, lastFailedAt }: AuditRecord, nowMs: number): boolean {
  const hasFailedLately = lastFailedAt !== null && nowMs - lastFailedAt.getTime() < ATTESTATION_PAUSE_MS;
  return passedWithCode > 0n && !hasFailedLately;
}

/** Bounds what an input can earn for its seeder, from the miss price at the time of claiming. */
export const lifetimeCapOf = (missMicroUsd: bigint, attested: boolean): bigint =>
  missMicroUsd * (attested ? ATTESTED_CAP_IN_MISS_PRICES : CAP_IN_MISS_PRICES);
