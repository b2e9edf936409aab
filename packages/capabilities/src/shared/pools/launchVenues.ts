import type { Hex } from "@assay/protocol";
import { baseAddresses, lowercaseAddress } from "../chain-facts/baseAddresses.js";
import { USDC, WETH } from "../chain-facts/knownContracts.js";

/** Where a token's pools are searched for, and where it is traded. */
export interface LaunchVenues {
  readonly weth: Hex;
  readonly stablecoin: Hex;
  /** Uniswap V2's form, with its fee of 0.3 % for liquidity providers. */
  readonly classic: { readonly factory: Hex; readonly router: Hex };
  /** Uniswap V3's form, with `SwapRouter02`. */
  readonly concentrated: { readonly factory: Hex; readonly router: Hex; readonly quoter: Hex };
  /** Fee of the concentrated pool in which native currency is changed into the stablecoin. */
  readonly fundingFee: number;
}

/** Uniswap on Base, and the stablecoin there. The embedded chain has the same contracts at the same addresses. */
export const baseLaunchVenues: LaunchVenues = {
  weth: WETH,
  stablecoin: USDC,
  classic: {
    factory: lowercaseAddress(baseAddresses.uniswapV2Factory),
    router: lowercaseAddress(baseAddresses.uniswapV2Router),
  },
  concentrated: {
    factory: lowercaseAddress(baseAddresses.uniswapV3Factory),
    router: lowercaseAddress(baseAddresses.swapRouter02),
    quoter: lowercaseAddress(baseAddresses.uniswapV3Quoter),
  },
  fundingFee: 500,
};
