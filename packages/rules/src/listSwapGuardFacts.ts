import type { CapabilityInput } from "@assay/protocol";
import { describeAccount } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";
import { decodeSwap } from "./swap/decodeSwap.js";
import type { SwapGuardReadings } from "./swapGuardReadings.js";

/** The code of the router and of both tokens. What calls and simulations answered, no proof can show. */
export function listSwapGuardFacts(
  input: CapabilityInput<"amm.swap.guard">,
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
