import type { Hex } from "@assay/protocol";
import { BASE_MULTICALL3, BASE_USDC, BASE_WETH } from "@assay/protocol/baseAddresses";

/**
 * Contracts of Base, each group under where its publisher lists it, in the spelling of EIP-55 for people. Readings and rules
 * compare the lower case of `knownContracts`.
 */
export const baseAddresses = {
  // https://github.com/ethereum-optimism/specs/blob/fd72cf797df6/specs/protocol/predeploys.md
  weth: BASE_WETH,
  // @uniswap/default-token-list@22.21.0 build/uniswap-default.tokenlist.json
  usdc: BASE_USDC,
  cbBtc: "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
  usdBc: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA",
  dai: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb",
  eurc: "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42",
  cbEth: "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22",
  aero: "0x940181a94A35A4569E4529A3CDfB74e38FD98631",
  virtual: "0x0b3e328455c4059EEb9e3f84b5543F74E24e7E1b",
  // https://github.com/ethereum-optimism/ethereum-optimism.github.io/blob/9db0b0037010/optimism.tokenlist.json
  usdt: "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2",
  wstEth: "0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452",
  // https://github.com/mds1/multicall3/blob/5f90062160ae/README.md
  multicall3: BASE_MULTICALL3,
  // https://github.com/Uniswap/docs/blob/8c5d09e23f53/docs/contracts/v4/deployments.mdx
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  // https://github.com/Uniswap/sdks/blob/241fb9a7896f/sdks/sdk-core/src/addresses.ts
  uniswapV4Manager: "0x498581fF718922c3f8e6A244956aF099B2652b2b",
  uniswapV4Positions: "0x7C5f5A4bBd8fD63184577525326123B519429bDc",
  uniswapV2Factory: "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6",
  uniswapV2Router: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
  uniswapV3Factory: "0x33128a8fC17869897dcE68Ed026d694621f6FDfD",
  uniswapV3Quoter: "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a",
  uniswapV3Positions: "0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1",
  swapRouter02: "0x2626664c2603336E57B271c5C0b26F421741e481",
  // https://github.com/Uniswap/universal-router/blob/fb25ff09c71d/deploy-addresses/base.json: 1.2, 2.0 and 2.1.1
  universalRouter1: "0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD",
  universalRouter2: "0x6fF5693b99212Da76ad316178A184AB56D299b43",
  universalRouter211: "0xFdf682F51FE81Aa4898F0AE2163d8A55c127fbC7",
  // https://github.com/aerodrome-finance/contracts/blob/a5fae2e87e49/script/constants/output/DeployCore-Base.json
  aerodromeFactory: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da",
  aerodromeRouter: "0xcF77a3Ba9A5CA399B7c97c74d54e5b1Beb874E43",
  // https://github.com/aerodrome-finance/slipstream/blob/7844368af8f8/script/constants/output/DeployCL-Base.json; the router: README.md
  slipstreamFactory: "0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A",
  slipstreamRouter: "0xBE6D8f0d05cC4be24d5167a3eF062215bE6D18a5",
  slipstreamQuoter: "0x254cF9E1E6e233aa1AC962CB9B05b2cfeAaE15b0",
  slipstreamPositions: "0x827922686190790b37229fd06084350E74485b72",
  // https://github.com/aerodrome-finance/slipstream/blob/7844368af8f8/script/constants/output/DeployCL-Base-Gauge-Caps.json
  slipstream2Factory: "0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a",
  slipstream2Router: "0xcbBb8035cAc7D4B3Ca7aBb74cF7BdF900215Ce0D",
  slipstream2Quoter: "0x3d4C22254F86f64B7eC90ab8F7aeC1FBFD271c6C",
  slipstream2Positions: "0xa990C6a764b73BF43cee5Bb40339c3322FB9D55F",
  // https://github.com/WayfinderFoundation/wayfinder-paths-sdk/blob/aa99d3ad8c5f/wayfinder_paths/core/constants/aerodrome_slipstream_contracts.py:
  // "gauges_v3". No deployment file of the publisher was found; other public integrations name the same four.
  slipstream3Factory: "0xf8f2eB4940CFE7d13603DDDD87f123820Fc061Ef",
  slipstream3Router: "0x698Cb2b6dd822994581fEa6eA4Fc755d1363A92F",
  slipstream3Quoter: "0x514c8B5f54112481E28028F1166Bd78501089259",
  slipstream3Positions: "0xe1f8cd9AC4e4A65F54f38a5CdAfCA44f6dD68b53",
  // https://github.com/velodrome-finance/universal-router/blob/3e83bc1f24df/deployment-addresses/base.json
  aerodromePermit2: "0x494bbD8A3302AcA833D307D11838f18DbAdA9C25",
  aerodromeUniversalRouter: "0x01D40099fCD87C018969B0e8D4aB1633Fb34763C",
  // https://github.com/AmbireTech/ambire-common/blob/93e7031a04ad/src/libs/humanizer/modules/Uniswap/index.ts
  aerodromeUniversalRouter2: "0x6Df1c91424F79E40E33B1A48F0687B666bE71075",
  // @safe-global/safe-deployments@1.37.56 dist/assets: MultiSend and MultiSendCallOnly of 1.3.0 (both deployments), 1.4.1 and 1.5.0
  safeMultiSend130: "0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761",
  safeMultiSend130Eip155: "0x998739BFdAAdde7C933B942a68053933098f9EDa",
  safeMultiSendCallOnly130: "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D",
  safeMultiSendCallOnly130Eip155: "0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B",
  safeMultiSend141: "0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526",
  safeMultiSendCallOnly141: "0x9641d764fc13c8B624c04430C7356C1C7C8102e2",
  safeMultiSend150: "0x218543288004CD07832472D464648173c77D7eB7",
  safeMultiSendCallOnly150: "0xA83c336B20401Af773B6219BA5027174338D1836",
} as const satisfies Readonly<Record<string, Hex>>;

/** As readings hold an address. */
export const lowercaseAddress = (address: Hex): Hex => address.toLowerCase() as Hex;
