import type { Address } from "viem";

/** The addresses of these contracts on Base. The devnet installs them at the same addresses, so that callers need no setting. */
export const canonicalAddresses = {
  stablecoin: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  weth: "0x4200000000000000000000000000000000000006",
  multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
  uniswapV2Factory: "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6",
  uniswapV2Router: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
  uniswapV3Factory: "0x33128a8fC17869897dcE68Ed026d694621f6FDfD",
  swapRouter02: "0x2626664c2603336E57B271c5C0b26F421741e481",
  quoterV2: "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a",
  l1Block: "0x4200000000000000000000000000000000000015",
  gasPriceOracle: "0x420000000000000000000000000000000000000F",
  ethUsdFeed: "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70",
  usdcUsdFeed: "0x7e860098F58bBFC8648a4311b374B1D669a2bc6B",
  morpho: "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb",
  morphoOracleFactory: "0x2DC205F24BCb6B311E5cdf0745B0741648Aebd3d",
  positionManager: "0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1",
  sequencerFeed: "0xBCF85224fc0756B9Fa45aA7892530B47e10b6433",
  poolManager: "0x498581fF718922c3f8e6A244956aF099B2652b2b",
  optimisticOracle: "0x880d041D67aaB3B062995d11d4aD9c1018A3b02f",
  batchSettlement: "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003",
  erc3009DepositCollector: "0x4020806089470a89826cB9fB1f4059150b550004",
  permit2DepositCollector: "0x4020425FAf3B746C082C2f942b4E5159887B0005",
} as const satisfies Record<string, Address>;
