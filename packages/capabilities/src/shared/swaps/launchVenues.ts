import type { Hex } from "@assay/protocol";

/** Where a token is looked for and traded. */
export interface LaunchVenues {
  readonly weth: Hex;
  readonly stablecoin: Hex;
  /** Uniswap V2's form, with its 0.3 % for those who provide liquidity. */
  readonly classic: { readonly factory: Hex; readonly router: Hex };
  /** Uniswap V3's form, with `SwapRouter02`. */
  readonly concentrated: { readonly factory: Hex; readonly router: Hex; readonly quoter: Hex };
  /** Fee of the concentrated pool in which native currency is changed into the stablecoin. */
  readonly fundingFee: number;
}

/** Uniswap on Base, and the stablecoin there. The embedded chain has the same contracts at the same addresses. */
export const baseLaunchVenues: LaunchVenues = {
  weth: "0x4200000000000000000000000000000000000006",
  stablecoin: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  classic: {
    factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
    router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
  },
  concentrated: {
    factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
    router: "0x2626664c2603336e57b271c5c0b26f421741e481",
    quoter: "0x3d4e44eb1374240ce5f1b871ab261cd16335b76a",
  },
  fundingFee: 500,
};
