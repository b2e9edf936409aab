import type { CapabilityResult } from "@assay/protocol";

/** Seconds between two blocks of Base. */
const BLOCK_SECONDS = 2;

/** Whether an answer is about its block only and was never meant to outlive it: each call computes a new one. */
export function isMomentary({ result }: Pick<CapabilityResult, "result">): boolean {
  const { ttlSeconds } = (result.evidence.validity ?? {}) as { readonly ttlSeconds?: unknown };
  return typeof ttlSeconds === "number" && ttlSeconds < BLOCK_SECONDS;
}
