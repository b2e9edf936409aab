import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";

export type PoolFeeCode = "PATH_FEE_HIGH" | "PATH_FEE_EXCESSIVE";

/** The highest fee that exchanges publish for pools (Uniswap V3's fourth tier), in hundredths of a basis point. */
export const PUBLISHED_FEE = 10_000;
/** Of all pools on the way together. */
const EXCESSIVE_FEE = 100_000;

/** Anyone opens a V4 pool with any fee. What a fee takes shows in no comparison of the pool with itself. */
export function judgePoolFees({ hops }: DecodedSwap): Note<PoolFeeCode>[] {
  const fees = hops.map(({ fee }) => fee ?? 0);
  if (fees.reduce((sum, fee) => sum + fee, 0) > EXCESSIVE_FEE) return [{ code: "PATH_FEE_EXCESSIVE" }];
  return fees.some((fee) => fee > PUBLISHED_FEE) ? [{ code: "PATH_FEE_HIGH" }] : [];
}
