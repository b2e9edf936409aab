import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { baseLaunchVenues as venues } from "../pools/launchVenues.js";
import type { DecodedSwap } from "./decodedSwap.js";

/** One exchange's price for one leg of a market, as `MarketLens` asks for it. */
export interface MarketQuestion {
  readonly leg: MarketLeg;
  readonly target: Hex;
  readonly data: Hex;
  /** Which word of the answer is the amount. */
  readonly place: bigint;
}

/**
 * The pair itself for the amount that goes in; or over another token, the first half for what goes in and the second for
 * what must come out, so that neither waits for the other's answer.
 */
export interface MarketLeg {
  readonly side: "whole" | "first" | "second";
  /** The token between; null for the pair itself. */
  readonly over: Hex | null;
}

/** Fees of concentrated pools, in hundredths of a basis point, and the tick spacings of Aerodrome's that most are traded in. */
const FEES = [100, 500, 3000, 10_000];
const TICK_SPACINGS = [100, 200];

const classicAbi = parseAbi([
  "function getAmountsOut(uint256, address[]) view returns (uint256[])",
  "function getAmountsIn(uint256, address[]) view returns (uint256[])",
]);
const routedAbi = parseAbi([
  "function getAmountsOut(uint256, (address from, address to, bool stable, address factory)[]) view returns (uint256[])",
]);
const quoterAbi = parseAbi([
  "function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96))",
  "function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 sqrtPriceLimitX96))",
]);
const slipstreamAbi = parseAbi([
  "function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, int24 tickSpacing, uint160 sqrtPriceLimitX96))",
  "function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, int24 tickSpacing, uint160 sqrtPriceLimitX96))",
]);
/** Words of an answer that is a list of two amounts, after its offset and length. */
const [FIRST_AMOUNT, LAST_AMOUNT] = [2n, 3n];

/** What exchanges are asked about a swap: the pair itself first, then over wrapped ether and over the stablecoin. */
export function listMarketQuestions({
  tokenIn,
  tokenOut,
  amountIn,
  amountOut,
}: DecodedSwap): MarketQuestion[] {
  const whole = { side: "whole", over: null } as const;
  return [
    ...askForward(whole, tokenIn, tokenOut, amountIn),
    ...[venues.weth, venues.stablecoin]
      .filter((over) => over !== tokenIn && over !== tokenOut)
      .flatMap((over) => [
        ...askForward({ side: "first", over }, tokenIn, over, amountIn),
        ...askBackward({ side: "second", over }, over, tokenOut, amountOut),
      ]),
  ];
}

/** What an amount that goes in would bring. */
function askForward(leg: MarketLeg, tokenIn: Hex, tokenOut: Hex, amountIn: bigint): MarketQuestion[] {
  const { classic, concentrated, routed, slipstream } = venues;
  const pair = { tokenIn, tokenOut, amountIn, sqrtPriceLimitX96: 0n };
  const functionName = "quoteExactInputSingle";
  return [
    {
      leg,
      target: classic.router,
      data: encodeFunctionData({
        abi: classicAbi,
        functionName: "getAmountsOut",
        args: [amountIn, [tokenIn, tokenOut]],
      }),
      place: LAST_AMOUNT,
    },
    ...FEES.map((fee) => ({
      leg,
      target: concentrated.quoter,
      data: encodeFunctionData({ abi: quoterAbi, functionName, args: [{ ...pair, fee }] }),
      place: 0n,
    })),
    ...(routed === null ? [] : [false, true]).map((stable) => ({
      leg,
      target: routed?.router as Hex,
      data: encodeFunctionData({
        abi: routedAbi,
        args: [amountIn, [{ from: tokenIn, to: tokenOut, stable, factory: routed?.factory as Hex }]],
      }),
      place: LAST_AMOUNT,
    })),
    ...slipstream.flatMap(({ quoter }) =>
      TICK_SPACINGS.map((tickSpacing) => ({
        leg,
        target: quoter,
        data: encodeFunctionData({ abi: slipstreamAbi, functionName, args: [{ ...pair, tickSpacing }] }),
        place: 0n,
      })),
    ),
  ];
}

/** What an amount that comes out would cost. Aerodrome's classic pools do not say. */
function askBackward(leg: MarketLeg, tokenIn: Hex, tokenOut: Hex, amount: bigint): MarketQuestion[] {
  const { classic, concentrated, slipstream } = venues;
  const pair = { tokenIn, tokenOut, amount, sqrtPriceLimitX96: 0n };
  const functionName = "quoteExactOutputSingle";
  return [
    {
      leg,
      target: classic.router,
      data: encodeFunctionData({
        abi: classicAbi,
        functionName: "getAmountsIn",
        args: [amount, [tokenIn, tokenOut]],
      }),
      place: FIRST_AMOUNT,
    },
    ...FEES.map((fee) => ({
      leg,
      target: concentrated.quoter,
      data: encodeFunctionData({ abi: quoterAbi, functionName, args: [{ ...pair, fee }] }),
      place: 0n,
    })),
    ...slipstream.flatMap(({ quoter }) =>
      TICK_SPACINGS.map((tickSpacing) => ({
        leg,
        target: quoter,
        data: encodeFunctionData({ abi: slipstreamAbi, functionName, args: [{ ...pair, tickSpacing }] }),
        place: 0n,
      })),
    ),
  ];
}
