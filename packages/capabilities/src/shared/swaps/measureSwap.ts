import type { Hex } from "viem";
import type { DecodedSwap } from "./decodeSwap.js";
import type { SimulatedSwap, SwapBalances } from "./swapReadings.js";

/** The measured changes of a simulated swap, in the tokens' smallest units. */
export interface MeasuredSwap {
  /** What the sender paid to the pools, without what stayed in the router. */
  readonly paid: bigint;
  /** What reached the recipient. */
  readonly received: bigint;
  /** What the router holds after the swap and did not hold before it. Anyone can take it. */
  readonly left: {
    readonly native: bigint;
    readonly tokenIn: bigint;
    readonly tokenOut: bigint;
    /** Of all other tokens that the calldata names. */
    readonly others: bigint;
  };
  /** What left the sender and is not the input. Null as token for native value. */
  readonly lost: readonly { readonly token: Hex | null; readonly amount: bigint }[];
}

/** The tokens whose balances are measured besides what goes in and what arrives. */
export const listMeasuredTokens = (
  { otherTokens, tokenOut, recipient }: DecodedSwap,
  sender: string,
): Hex[] => (recipient === sender.toLowerCase() ? [...otherTokens] : [...otherTokens, tokenOut]);

/** Null when the swap failed, or when a balance that decides was not read. */
export function measureSwap(
  swap: DecodedSwap,
  sender: string,
  simulated: SimulatedSwap,
): MeasuredSwap | null {
  if (!simulated.success) return null;
  const { before, after } = simulated;
  const grown = (pick: (balances: SwapBalances) => string | null): bigint | null => {
    const [from, to] = [pick(before), pick(after)];
    return from === null || to === null ? null : BigInt(to) - BigInt(from);
  };
  const tokenIn = grown((at) => at.tokenIn.sender);
  const tokenInLeft = grown((at) => at.tokenIn.router);
  const tokenOut = grown((at) => at.tokenOut.recipient);
  const tokenOutLeft = grown((at) => at.tokenOut.router);
  const nativeIn = grown((at) => at.native.sender);
  const nativeLeft = grown((at) => at.native.router);
  const nativeOut = grown((at) => at.native.recipient);
  if (tokenIn === null || tokenInLeft === null || tokenOut === null || tokenOutLeft === null) return null;
  if (nativeIn === null || nativeLeft === null || nativeOut === null) return null;
  const others = listMeasuredTokens(swap, sender).map((token, index) => ({
    token,
    held: grown((at) => at.others[index]?.sender ?? null),
    left: grown((at) => at.others[index]?.router ?? null),
  }));
  if (others.some(({ held, left }) => held === null || left === null)) return null;
  const paidToken = -tokenIn - tokenInLeft;
  return {
    paid: swap.isNativeIn ? paidToken - nativeIn - nativeLeft : paidToken,
    received: swap.isNativeOut ? nativeOut : tokenOut,
    left: {
      native: atLeastZero(nativeLeft),
      tokenIn: atLeastZero(tokenInLeft),
      tokenOut: atLeastZero(tokenOutLeft),
      others: others.reduce((sum, { left }) => sum + atLeastZero(left ?? 0n), 0n),
    },
    lost: [
      ...(!swap.isNativeIn && nativeIn < 0n ? [{ token: null, amount: -nativeIn }] : []),
      ...others.flatMap(({ token, held }) => (held !== null && held < 0n ? [{ token, amount: -held }] : [])),
    ],
  };
}

const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n);
