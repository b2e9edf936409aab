import type { Hex } from "@assay/protocol";
import { BASE_MULTICALL3, BASE_USDC, BASE_WETH } from "@assay/protocol/baseAddresses";

/**
 * Contracts of Base, in the spelling of EIP-55 for people. Readings and rules compare the lower case of
 * `knownContracts`.
 */
export const baseAddresses = {
  weth: BASE_WETH,
  usdc: BASE_USDC,
  cbBtc: "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
  multicall3: BASE_MULTICALL3,
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  uniswapV2Factory: "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6",
  uniswapV2Router: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
  uniswapV3Factory: "0x33128a8fC17869897dcE68Ed026d694621f6FDfD",
  uniswapV3Quoter: "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a",
  swapRouter02: "0x2626664c2603336E57B271c5C0b26F421741e481",
} as const satisfies Readonly<Record<string, Hex>>;

/** As readings hold an address. */
export const lowercaseAddress = (address: Hex): Hex => address.toLowerCase() as Hex;
