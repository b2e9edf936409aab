import { decodeAbiParameters, type Hex } from "viem";
import type { DecodedSwap } from "./decodeSwap.js";

export interface SwapAmounts {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/**
 * The input and output that the router returned; null where its function returns no amounts or they cannot be decoded.
 * These are the amounts of the pools: the router does not see what a token keeps of a transfer.
 */
export function decodeReturnedAmounts(swap: DecodedSwap, returned: Hex): SwapAmounts | null {
  if (swap.toleratesTransferFees) return null;
  try {
    const own = swap.multicall ? pickInner(returned, swap.multicall.swapIndex) : returned;
    if (swap.family === "classic") return toAmounts(decodeAmounts(own));
    const [amount] = decodeAbiParameters([{ type: "uint256" }], own);
    return swap.kind === "exactIn"
      ? { amountIn: swap.amountIn, amountOut: amount }
      : { amountIn: amount, amountOut: swap.amountOut };
  } catch {
    return null;
  }
}

/** The last of the amounts that `getAmountsOut` answers with. */
export function decodeQuotedAmount(answer: Hex): bigint | null {
  try {
    return toAmounts(decodeAmounts(answer))?.amountOut ?? null;
  } catch {
    return null;
  }
}

const decodeAmounts = (data: Hex) => decodeAbiParameters([{ type: "uint256[]" }], data)[0];

function toAmounts(amounts: readonly bigint[]): SwapAmounts | null {
  const [amountIn, amountOut] = [amounts[0], amounts.at(-1)];
  return amountIn === undefined || amountOut === undefined ? null : { amountIn, amountOut };
}

function pickInner(returned: Hex, index: number): Hex {
  const [results] = decodeAbiParameters([{ type: "bytes[]" }], returned);
  return results[index] ?? "0x";
}
