import type { CacheStatus } from "@assay/protocol";

/** What the wire calls cache hit, partial and miss. */
export const cacheWords: Record<CacheStatus, string> = {
  hit: "shared from an earlier call",
  partial: "shared in part and read anew in part",
  miss: "read anew",
};
