import type { CacheStatus } from "./primitives.js";

/** How an answer came about, in words for people; programs read the cache status. */
export const cacheWords: Readonly<Record<CacheStatus, string>> = {
  hit: "shared from an earlier call",
  partial: "partly shared from an earlier call",
  miss: "computed for this call",
};
