import { canonicalAddresses } from "@assay/devnet";
import { getAddress } from "viem";
import { expect, test } from "vitest";
import { baseAddresses } from "./baseAddresses.js";

test("every address has the spelling of EIP-55, whose case is a checksum", () => {
  for (const address of Object.values(baseAddresses)) expect(getAddress(address)).toBe(address);
});

test("the local chain has the contracts of Base at the same addresses", () => {
  const { stablecoin, weth, multicall3, uniswapV2Factory, uniswapV2Router, uniswapV3Factory } =
    canonicalAddresses;
  expect(baseAddresses).toMatchObject({
    usdc: stablecoin,
    weth,
    multicall3,
    uniswapV2Factory,
    uniswapV2Router,
    uniswapV3Factory,
    uniswapV3Quoter: canonicalAddresses.quoterV2,
    swapRouter02: canonicalAddresses.swapRouter02,
  });
});
