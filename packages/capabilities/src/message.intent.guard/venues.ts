import type { Hex } from "@assay/protocol";
import { AERODROME_PERMIT2, PERMIT2 } from "../shared/chain-facts/knownContracts.js";

/** Contracts of Base that accept signatures of one form. The gatherer records them, so that a verifier needs no newer list. */
export const venues = {
  permit2: [PERMIT2, AERODROME_PERMIT2],
  // https://github.com/ProjectOpenSea/seaport/blob/bb1bb3f43ae0/README.md names the last two
  seaport: [
    // 1.1, 1.2, 1.3, 1.4, 1.5, 1.6
    "0x00000000006c3852cbef3e08e8df289169ede581",
    "0x00000000000006c7676171937c444f6bde3d6282",
    "0x0000000000000ad24e80fd803c6ac37206a45f15",
    "0x00000000000001ad428e4906ae43d8f9852d0dd6",
    "0x00000000000000adc04c56bf30ac9d3c0aaf14dc",
    "0x0000000000000068f116a894984e2db1123eb395",
  ],
  // https://github.com/cowprotocol/contracts/blob/acb95d9167ab/networks.json
  cow: ["0x9008d19f58aabd9ed0d60971565aa8510560ab41"],
  uniswapX: [
    // Priority and V3 Dutch.
    "0x000000001ec5656dcdb24d90dfa42742738de729",
    "0x000000008a8330b5d1f43a62bf4c673a49f27ba0",
  ],
  // https://github.com/lifinance/contracts/blob/ef00558fde6c/config/whitelist.json
  oneInch: ["0x1111111254eeb25477b68fb85ed929f73a960582", "0x111111125421ca6dc452d289314280a0f8842a65"],
  // @0x/contract-addresses@8.13.0 addresses.json
  zeroEx: ["0xdef1c0ded9bec7f1a1670819833240f027b25eff"],
  // @x402/evm@2.27.0 dist/cjs/index.js
  x402Proxy: ["0x402085c248eea27d92e8b30b2c58ed07f9e20001", "0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002"],
  x402Collector: ["0x4020806089470a89826cb9fb1f4059150b550004", "0x4020425faf3b746c082c2f942b4e5159887b0005"],
  x402Channels: ["0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003"],
  // @metamask/delegation-deployments@2.0.0 dist/index.mjs
  delegations: [
    "0xbe4138886cb096bdc1b930f2f0ca7892aa234d78",
    "0x56d56e07e3d6ee5a24e30203a37a0a460f42d7a3",
    "0xdb9b1e94b5b69df7e401ddbede43491141047db3",
  ],
  // https://github.com/coinbase/spend-permissions/blob/e0004e63edc4/README.md
  spendPermissions: ["0xf85210b21cc50302f477ba56686d2019dc9b67ad"],
} as const satisfies Readonly<Record<string, readonly Hex[]>>;

export type VenueName = keyof typeof venues;
export type Venues = Readonly<Record<VenueName, readonly Hex[]>>;
export const venueNames = Object.keys(venues) as [VenueName, ...VenueName[]];

/** Names of signing domains that are worth imitating, and the contracts that may carry them. */
export const namedDomains: readonly { readonly name: string; readonly venue: VenueName }[] = [
  { name: "Permit2", venue: "permit2" },
  { name: "Seaport", venue: "seaport" },
  { name: "Gnosis Protocol", venue: "cow" },
  { name: "1inch Aggregation Router", venue: "oneInch" },
  { name: "ZeroEx", venue: "zeroEx" },
  { name: "x402 Batch Settlement", venue: "x402Channels" },
  { name: "DelegationManager", venue: "delegations" },
  { name: "Spend Permission Manager", venue: "spendPermissions" },
];
