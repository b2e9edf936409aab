import type { CacheStatus } from "@assay/protocol";

/** How an answer came about, for the cache status on the wire. */
export const cacheWords: Record<CacheStatus, string> = {
  hit: "shared from an earlier call",
  partial: "partly shared from an earlier call",
  miss: "computed for this call",
};
