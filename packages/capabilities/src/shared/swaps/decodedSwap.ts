import type { Hex } from "viem";
import type { RouterStep } from "../meanings/decodeRouterProgram.js";
import type { SwapHop } from "./readHops.js";
import type { RouterCall } from "./swapFunctions.js";
import type { SwapFamily, SwapRouterKind } from "./swapRouters.js";

/** One swap, in the same form for every router and wrapper. Amounts in the tokens' smallest units. */
export interface DecodedSwap {
  readonly family: SwapFamily;
  readonly routerKind: SwapRouterKind;
  readonly functionName: string;
  readonly kind: "exactIn" | "exactOut";
  readonly hops: readonly SwapHop[];
  /** The wrapped token where native value is swapped. */
  readonly tokenIn: Hex;
  readonly tokenOut: Hex;
  readonly isNativeIn: boolean;
  readonly isNativeOut: boolean;
  /** The exact input, or its maximum (exactOut). */
  readonly amountIn: bigint;
  /** The minimum output, or the exact one (exactOut). */
  readonly amountOut: bigint;
  /** Who receives the output; the router itself when no further call moves it on. */
  readonly recipient: Hex;
  /** Other addresses that the call sends the router's holdings to. */
  readonly otherRecipients: readonly Hex[];
  /** Tokens that the call names besides the two that are swapped: on the way, and in what stands beside the swap. */
  readonly otherTokens: readonly Hex[];
  /** What the call lets others take of the sender's tokens. */
  readonly permissions: readonly SwapPermission[];
  /** Unix seconds, the swap's own or the multicall's; null when neither has one. */
  readonly deadline: bigint | null;
  /** The function lets tokens take a part of what is transferred. */
  readonly toleratesTransferFees: boolean;
  /** The multicall around the swap: its name, the other calls, and the swap's place among all. */
  readonly multicall: {
    readonly form: string;
    readonly others: readonly string[];
    readonly swapIndex: number;
    readonly calls: readonly Hex[];
    /** The router accepts the call only in the block right after this one; null for forms without such a binding. */
    readonly previousBlockHash: Hex | null;
  } | null;
  readonly call: RouterCall;
  /** Of the Universal Router only. */
  readonly program?: SwapProgram;
}

export interface SwapTransaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  /** Wei, decimal. */
  readonly value: string;
}

/** A permission that the call uses or leaves behind, signed by the sender. */
export interface SwapPermission {
  readonly token: Hex;
  readonly spender: Hex;
  /** Unix seconds; null for an allowance of the token itself, which has no end. */
  readonly expiration: number | null;
}

/** A step that moves an asset which the swap neither takes nor gives, or gives one away before it is swapped. */
export interface StrayStep {
  readonly name: string;
  /** Zero for native value. */
  readonly asset: Hex;
  /** Null where the step names none: what it moves goes to the pool manager. */
  readonly recipient: Hex | null;
}

/** What the program of a Universal Router says besides what every swap says. */
export interface SwapProgram {
  /** The swap itself: the router's step, or the one inside its V4 step. */
  readonly step: RouterStep;
  readonly venue: "v2" | "v3" | "v4";
  /** Parts of the input or the output that go to others, in hundredths of a percent. */
  readonly portions: readonly { readonly recipient: Hex; readonly bips: number }[];
  /** Tokens that signatures in the program let the router take through Permit2, and how much. */
  readonly permits: readonly { readonly token: Hex; readonly amount: bigint; readonly expiration: number }[];
  readonly strays: readonly StrayStep[];
  /** V4's currencies, which are zero for native value. */
  readonly currencies: readonly [given: Hex, taken: Hex];
}
