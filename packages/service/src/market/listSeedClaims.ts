import type { CapabilityPrices } from "@assay/protocol";
import { FINGERPRINT_TTL_MS } from "../evidence/fingerprints.js";
import { isFingerprinted } from "./fingerprintSeed.js";
import { lifetimeCapOf } from "./seederTerms.js";
import type { SettledCall } from "./settledCall.js";

/** An input that a wallet can become the seeder of, if the input has no fresh seed. */
export interface SeedClaim {
  readonly inputHash: string;
  readonly capabilityId: string;
  readonly wallet: string;
  readonly address: string | null;
  readonly codeHash: string | null;
  readonly capMicroUsd: bigint;
  readonly attestedCapMicroUsd: bigint;
  readonly freshUntilMs: number;
}

/** One claim for each input that these calls answered, by the first of them. Answers whose window has ended give none. */
export function listSeedClaims(
  calls: readonly SettledCall[],
  prices: ReadonlyMap<string, CapabilityPrices>,
): SeedClaim[] {
  const claims = new Map<string, SeedClaim>();
  for (const call of calls) {
    const claim = findClaim(call, prices);
    if (claim && !claims.has(claim.inputHash)) claims.set(claim.inputHash, claim);
  }
  return [...claims.values()];
}

function findClaim(
  { capabilityId, inputHash, payer, actualStatus, computed, settledAt }: SettledCall,
  prices: ReadonlyMap<string, CapabilityPrices>,
): SeedClaim | undefined {
  const missMicroUsd = prices.get(capabilityId)?.missMicroUsd;
  if (!computed || missMicroUsd === undefined) return undefined;
  // What was read anew in place of an answer that was about to end cost its buyer no more than that answer.
  if (actualStatus === "hit") return undefined;
  const isFingerprint = isFingerprinted(capabilityId);
  if (isFingerprint && computed.address === null) return undefined;
  const freshUntilMs = isFingerprint ? settledAt.getTime() + FINGERPRINT_TTL_MS : computed.freshUntilMs;
  if (freshUntilMs <= settledAt.getTime()) return undefined;
  return {
    inputHash,
    capabilityId,
    wallet: payer,
    address: isFingerprint ? computed.address : null,
    codeHash: isFingerprint ? computed.codeHash : null,
    capMicroUsd: lifetimeCapOf(missMicroUsd, false),
    attestedCapMicroUsd: lifetimeCapOf(missMicroUsd, true),
    freshUntilMs,
  };
}
