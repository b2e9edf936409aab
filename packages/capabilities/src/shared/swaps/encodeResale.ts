import { concatHex, encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex, parseAbi } from "viem";
import type { DecodedSwap } from "./decodeSwap.js";
import type { SwapRouterKind } from "./swapRouters.js";

/** Two calls of the buyer, right after the swap. */
export interface Resale {
  /** In the smallest unit of the token that was bought. */
  readonly amount: bigint;
  readonly approval: { readonly to: Hex; readonly data: Hex };
  readonly sale: { readonly to: Hex; readonly data: Hex };
}

/**
 * Half of the minimum output: large enough to measure, and less than what arrives from a token that keeps a part of
 * each transfer.
 */
const SHARE = 2n;

/**
 * Half of what the swap must bring, sold back the way it came and without a limit; null where the sender gets no token
 * or has no guaranteed minimum. The amount is the calldata's, because the steps are written before anything has run.
 */
export function encodeResale(
  swap: DecodedSwap,
  { from, to }: { readonly from: Hex; readonly to: Hex },
): Resale | null {
  if (swap.isNativeOut || swap.amountOut === 0n || swap.recipient !== from.toLowerCase()) return null;
  const half = swap.amountOut / SHARE;
  const amount = half > 0n ? half : 1n;
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [to, amount] });
  return {
    amount,
    approval: { to: swap.tokenOut, data: approval },
    sale: { to, data: encoders[swap.routerKind](swap, from, amount) },
  };
}

const FOREVER = maxUint256;
const classicAbi = parseAbi([
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
]);
const aerodromeAbi = parseAbi([
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, (address from, address to, bool stable, address factory)[] routes, address to, uint256 deadline)",
]);
const router02Abi = parseAbi([
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)",
]);
const routerAbi = parseAbi([
  "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params)",
]);
const slipstreamAbi = parseAbi([
  "function exactInputSingle((address tokenIn, address tokenOut, int24 tickSpacing, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
]);

interface Route {
  readonly from: Hex;
  readonly to: Hex;
  readonly stable: boolean;
  readonly factory: Hex;
}

const encoders: Readonly<Record<SwapRouterKind, (swap: DecodedSwap, from: Hex, amount: bigint) => Hex>> = {
  uniswap_v2: ({ hops, tokenOut }, from, amount) => {
    const path = [tokenOut, ...hops.map(({ tokenIn }) => tokenIn).reverse()];
    return encodeFunctionData({ abi: classicAbi, args: [amount, 0n, path, from, FOREVER] });
  },
  aerodrome: ({ call }, from, amount) => {
    const routes = (call.fields.routes as readonly Route[])
      .map((route) => ({ ...route, from: route.to, to: route.from }))
      .reverse();
    return encodeFunctionData({ abi: aerodromeAbi, args: [amount, 0n, routes, from, FOREVER] });
  },
  swap_router_02: (swap, recipient, amountIn) => {
    const params = { path: packBackwards(swap), recipient, amountIn, amountOutMinimum: 0n };
    return encodeFunctionData({ abi: router02Abi, args: [params] });
  },
  swap_router: (swap, recipient, amountIn) => {
    const params = { path: packBackwards(swap), recipient, amountIn, amountOutMinimum: 0n };
    return encodeFunctionData({ abi: routerAbi, args: [{ ...params, deadline: FOREVER }] });
  },
  slipstream: ({ tokenIn, tokenOut, hops }, recipient, amountIn) => {
    const pool = { tokenIn: tokenOut, tokenOut: tokenIn, tickSpacing: hops[0]?.tickSpacing ?? 0 };
    const params = { ...pool, recipient, deadline: FOREVER, amountIn };
    const args = [{ ...params, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }] as const;
    return encodeFunctionData({ abi: slipstreamAbi, args });
  },
};

/** Token, fee, token, … from the token that was bought to the one that was paid. */
function packBackwards({ hops, tokenOut }: DecodedSwap): Hex {
  const steps = [...hops].reverse();
  return concatHex([
    tokenOut,
    ...steps.flatMap(({ fee, tokenIn }) => [numberToHex(fee ?? 0, { size: 3 }), tokenIn]),
  ]);
}
