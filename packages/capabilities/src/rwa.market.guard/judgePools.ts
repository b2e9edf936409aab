import { rankPools } from "../shared/pools/rankPools.js";
import type { Note } from "../shared/verdict/note.js";
import type { RwaMarketReadings } from "./readings.js";

export type PoolCode = "LIQUIDITY_SEEN" | "NO_LIQUIDITY_SEEN" | "POOL_TOO_SHALLOW" | "POOL_UNREAD";

export interface PoolFindings {
  readonly pool: string;
  readonly kind: string;
  readonly quote: string;
  /** Hundredths of a basis point. */
  readonly fee: number;
  readonly depthWei: string;
}

/**
 * Judges where the token can be sold without its issuer. Permissioned tokens are mostly redeemed, so a token without a
 * pool is no fault.
 */
export function judgePools({ pools, quotes }: RwaMarketReadings): {
  notes: Note<PoolCode>[];
  pools: PoolFindings[];
} {
  if (pools.status !== "value") {
    const limitation = "Whether and where the token trades was not read: no node answered.";
    return { notes: [{ code: "POOL_UNREAD", limitation }], pools: [] };
  }
  const deep = rankPools(pools.value, quotes.weth);
  const notes: Note<PoolCode>[] = pools.value.found.some(({ isRead }) => !isRead)
    ? [{ code: "POOL_UNREAD", limitation: "A factory did not answer whether it has a pool of the token." }]
    : [];
  if (deep.length > 0) notes.push({ code: "LIQUIDITY_SEEN" });
  else if (pools.value.found.some(({ pool }) => pool !== null)) notes.push({ code: "POOL_TOO_SHALLOW" });
  else notes.push({ code: "NO_LIQUIDITY_SEEN", limitation: NOWHERE });
  return {
    notes,
    pools: deep.map(({ pool, kind, quote, fee, depthWei }) => ({
      pool,
      kind,
      quote,
      fee,
      depthWei: depthWei.toString(),
    })),
  };
}

const NOWHERE =
  "Without such a pool the token can be sold only in places that this check does not read, or given back to its issuer.";
