import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import { decodeSwap } from "../shared/swaps/decodeSwap.js";
import type { SwapGuardInput } from "./input.js";
import type { SwapGuardReadings } from "./readings.js";

/** The code of the router and of both tokens. No proof covers what calls and simulations returned. */
export function listSwapGuardFacts(
  input: SwapGuardInput,
  { router, codes }: SwapGuardReadings,
): ProvableAccount[] {
  const decoded = decodeSwap(input, [router]);
  if ("unsupported" in decoded) return [];
  const { tokenIn, tokenOut } = decoded.swap;
  return [
    { address: input.to, code: codes.router, slots: {} },
    { address: tokenIn, code: codes.tokenIn, slots: {} },
    { address: tokenOut, code: codes.tokenOut, slots: {} },
  ].map(describeAccount);
}
