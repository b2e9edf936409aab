import type { Hex } from "viem";
import type { SwapHop } from "./readHops.js";
import { UnsupportedCalldata } from "./swapFunctions.js";

/** More than any honest swap names. The balance of each is measured around the swap. */
const MAX_TOKENS = 12;

/** The tokens on the way and those that are named beside the swap, without the two that are swapped. */
export function listOtherTokens(hops: readonly SwapHop[], named: readonly Hex[]): Hex[] {
  const [tokenIn, tokenOut] = [hops[0]?.tokenIn, hops.at(-1)?.tokenOut];
  const all = [...hops.map((hop) => hop.tokenOut), ...named];
  const others = [...new Set(all)].filter((token) => token !== tokenIn && token !== tokenOut);
  if (others.length > MAX_TOKENS)
    throw new UnsupportedCalldata(
      `names ${others.length} tokens besides the two that are swapped, more than the ${MAX_TOKENS} supported`,
    );
  return others;
}
