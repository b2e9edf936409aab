import type { Hex } from "@assay/protocol";
import { baseAddresses, lowercaseAddress } from "../chain-facts/baseAddresses.js";
import { CB_BTC, CLANKER_HOOKS, USDC, WETH } from "../chain-facts/knownContracts.js";

/** Where a token's pools are searched for, and where it is traded. */
export interface LaunchVenues {
  readonly weth: Hex;
  readonly stablecoin: Hex;
  /** Other tokens that launches are quoted in, with what a whole ether is assumed to cost in their smallest unit. */
  readonly quotes: readonly { readonly address: Hex; readonly perEther: bigint }[];
  /** Uniswap V2's form, with its fee of 0.3 % for liquidity providers. */
  readonly classic: {
    readonly factory: Hex;
    readonly router: Hex;
    /** The hash of a pair's creation code, from which its address follows. */
    readonly pairCodeHash?: Hex;
  };
  /** Uniswap V3's form, with `SwapRouter02`. */
  readonly concentrated: {
    readonly factory: Hex;
    readonly router: Hex;
    readonly quoter: Hex;
    /** The manager whose tokens are positions. */
    readonly positions?: Hex;
  };
  /** Aerodrome's stable and volatile pools. */
  readonly routed: { readonly factory: Hex; readonly router: Hex } | null;
  /** Aerodrome's concentrated pools; there are three deployments. */
  readonly slipstream: readonly {
    readonly factory: Hex;
    readonly router: Hex;
    readonly quoter: Hex;
    readonly positions: Hex;
  }[];
  /** Uniswap V4's manager, which holds what is in all its pools, and the manager whose tokens are positions. */
  readonly singleton: {
    readonly manager: Hex;
    readonly positions?: Hex;
    /** Hooks that a launchpad publishes, with the other terms of its pools. */
    readonly hooks: readonly { readonly hooks: Hex; readonly fee: number; readonly tickSpacing: number }[];
  } | null;
  /** Fee of the concentrated pool in which native currency is changed into the stablecoin. */
  readonly fundingFee: number;
}

/** The exchanges of Base. The embedded chain has Uniswap's contracts at the same addresses. */
export const baseLaunchVenues: LaunchVenues = {
  weth: WETH,
  stablecoin: USDC,
  quotes: [
    // VIRTUAL, in which Virtuals' agents are launched; an assumed price only ranks pools.
    { address: lowercaseAddress(baseAddresses.virtual), perEther: 3_000n * 10n ** 18n },
    { address: CB_BTC, perEther: 3_500_000n },
  ],
  classic: {
    factory: lowercaseAddress(baseAddresses.uniswapV2Factory),
    router: lowercaseAddress(baseAddresses.uniswapV2Router),
    pairCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
  },
  concentrated: {
    factory: lowercaseAddress(baseAddresses.uniswapV3Factory),
    router: lowercaseAddress(baseAddresses.swapRouter02),
    quoter: lowercaseAddress(baseAddresses.uniswapV3Quoter),
    positions: lowercaseAddress(baseAddresses.uniswapV3Positions),
  },
  routed: {
    factory: lowercaseAddress(baseAddresses.aerodromeFactory),
    router: lowercaseAddress(baseAddresses.aerodromeRouter),
  },
  slipstream: [
    {
      factory: lowercaseAddress(baseAddresses.slipstreamFactory),
      router: lowercaseAddress(baseAddresses.slipstreamRouter),
      quoter: lowercaseAddress(baseAddresses.slipstreamQuoter),
      positions: lowercaseAddress(baseAddresses.slipstreamPositions),
    },
    {
      factory: lowercaseAddress(baseAddresses.slipstream2Factory),
      router: lowercaseAddress(baseAddresses.slipstream2Router),
      quoter: lowercaseAddress(baseAddresses.slipstream2Quoter),
      positions: lowercaseAddress(baseAddresses.slipstream2Positions),
    },
    {
      factory: lowercaseAddress(baseAddresses.slipstream3Factory),
      router: lowercaseAddress(baseAddresses.slipstream3Router),
      quoter: lowercaseAddress(baseAddresses.slipstream3Quoter),
      positions: lowercaseAddress(baseAddresses.slipstream3Positions),
    },
  ],
  singleton: {
    manager: lowercaseAddress(baseAddresses.uniswapV4Manager),
    positions: lowercaseAddress(baseAddresses.uniswapV4Positions),
    // Clanker's pools have a fee that the hook sets (v4-core's LPFeeLibrary).
    hooks: CLANKER_HOOKS.map((hooks) => ({ hooks, fee: 0x800000, tickSpacing: 200 })),
  },
  fundingFee: 500,
};

/** The same with Uniswap V2 and V3 against the two usual tokens only. */
export const withUniswapOnly = (venues: LaunchVenues): LaunchVenues => ({
  ...venues,
  quotes: [],
  routed: null,
  slipstream: [],
  singleton: null,
});
