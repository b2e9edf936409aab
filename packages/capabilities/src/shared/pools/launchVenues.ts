import type { Hex } from "@assay/protocol";
import { baseAddresses, lowercaseAddress } from "../chain-facts/baseAddresses.js";
import { CB_BTC, USDC, WETH } from "../chain-facts/knownContracts.js";

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
  /** Aerodrome's concentrated pools; there are two deployments. */
  readonly slipstream: readonly {
    readonly factory: Hex;
    readonly router: Hex;
    readonly quoter: Hex;
    readonly positions: Hex;
  }[];
  /** Uniswap V4's manager, which holds what is in all its pools. */
  readonly singleton: { readonly manager: Hex } | null;
  /** Fee of the concentrated pool in which native currency is changed into the stablecoin. */
  readonly fundingFee: number;
}

/** The exchanges of Base. The embedded chain has Uniswap's contracts at the same addresses. */
export const baseLaunchVenues: LaunchVenues = {
  weth: WETH,
  stablecoin: USDC,
  quotes: [
    // VIRTUAL, in which Virtuals' agents are launched; an assumed price only ranks pools.
    { address: "0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b", perEther: 3_000n * 10n ** 18n },
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
    positions: "0x03a520b32c04bf3beef7beb72e919cf822ed34f1",
  },
  routed: {
    factory: "0x420dd381b31aef6683db6b902084cb0ffece40da",
    router: "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43",
  },
  slipstream: [
    {
      factory: "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a",
      router: "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5",
      quoter: "0x254cf9e1e6e233aa1ac962cb9b05b2cfeaae15b0",
      positions: "0x827922686190790b37229fd06084350e74485b72",
    },
    {
      factory: "0xade65c38cd4849adba595a4323a8c7ddfe89716a",
      router: "0xcbbb8035cac7d4b3ca7abb74cf7bdf900215ce0d",
      quoter: "0x3d4c22254f86f64b7ec90ab8f7aec1fbfd271c6c",
      positions: "0xa990c6a764b73bf43cee5bb40339c3322fb9d55f",
    },
  ],
  singleton: { manager: "0x498581ff718922c3f8e6a244956af099b2652b2b" },
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
