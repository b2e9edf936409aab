import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from "viem";
import type { DecodedSwap, SwapProgram } from "./decodedSwap.js";
import { findSpender } from "./decodeProgram.js";
import { encodePermit2Approval, encodeProgram } from "./encodeProgram.js";
import { packPath } from "./packPath.js";
import type { SwapRouterKind } from "./swapRouters.js";

/** Calls of the buyer, right after the swap. */
export interface Resale {
  /** In the smallest unit of the token that was bought. */
  readonly amount: bigint;
  readonly approvals: readonly { readonly to: Hex; readonly data: Hex }[];
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
  return {
    amount,
    approvals: listApprovals(swap, to, swap.tokenOut, amount),
    sale: { to, data: encoders[swap.routerKind](swap, from, amount) },
  };
}

/** What lets a router take so much of a token: its own allowance, or that of Permit2 and the router's there. */
export function listApprovals(
  swap: DecodedSwap,
  router: Hex,
  token: Hex,
  amount: bigint,
): readonly { readonly to: Hex; readonly data: Hex }[] {
  const spender = findSpender(swap, router);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
  const own = { to: token, data };
  return spender === router
    ? [own]
    : [own, { to: spender, data: encodePermit2Approval(token, router, amount) }];
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
  universal_router: (swap, _, amount) =>
    encodeProgram(swap, swap.program as SwapProgram, {
      kind: "exactIn",
      isBackwards: true,
      amount,
      most: 0n,
      isNativeIn: false,
    }),
};

/** From the token that was bought to the one that was paid. */
const packBackwards = ({ hops, tokenOut }: DecodedSwap): Hex =>
  packPath(
    [tokenOut, ...[...hops].reverse().map(({ tokenIn }) => tokenIn)],
    [...hops].reverse().map(({ fee }) => fee ?? 0),
  );
