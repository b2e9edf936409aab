import type { Hex } from "@assay/protocol";
import { baseAddresses, lowercaseAddress } from "./baseAddresses.js";

// Contracts of Base in lower case, as readings hold addresses.
export const WETH = lowercaseAddress(baseAddresses.weth);
export const USDC = lowercaseAddress(baseAddresses.usdc);
export const CB_BTC = lowercaseAddress(baseAddresses.cbBtc);
export const PERMIT2 = lowercaseAddress(baseAddresses.permit2);

/** Aerodrome's Universal Routers take permissions from a Permit2 of their own. */
export const AERODROME_PERMIT2 = lowercaseAddress(baseAddresses.aerodromePermit2);
const aerodromeRouters: readonly Hex[] = [
  lowercaseAddress(baseAddresses.aerodromeUniversalRouter),
  lowercaseAddress(baseAddresses.aerodromeUniversalRouter2),
];
/** The Permit2 that a Universal Router's commands are about. */
export const permit2Of = (router: Hex): Hex =>
  aerodromeRouters.includes(router) ? AERODROME_PERMIT2 : PERMIT2;

/** Clanker's hooks of Uniswap V4, static and dynamic, of both versions; the registry of parties has their source. */
export const CLANKER_HOOKS: readonly Hex[] = [
  "0x34a45c6b61876d739400bd71228cbcbd4f53e8cc",
  "0xd60d6b218116cfd801e28f78d011a203d2b068cc",
  "0xdd5eeaff7bd481ad55db083062b13a3cdf0a68cc",
  "0xb429d62f8f3bffb98cdb9569533ea23bf0ba28cc",
];

/** It only makes the calls that are given to it, like the routers. */
export const MULTICALL3 = lowercaseAddress(baseAddresses.multicall3);

/**
 * Contracts that keep nothing for anybody: what a transaction leaves in them, anybody may take in the next one. Multicall3 makes
 * any call for anybody; the others have `sweepToken`, `unwrapWETH9` and `refundETH`, or run a program that sweeps.
 */
export const sweepable: ReadonlySet<Hex> = new Set<Hex>(
  [
    baseAddresses.multicall3,
    baseAddresses.uniswapV3Positions,
    baseAddresses.swapRouter02,
    baseAddresses.universalRouter1,
    baseAddresses.universalRouter2,
    baseAddresses.universalRouter211,
    baseAddresses.slipstreamRouter,
    baseAddresses.slipstreamPositions,
    baseAddresses.slipstream2Router,
    baseAddresses.slipstream2Positions,
    baseAddresses.slipstream3Router,
    baseAddresses.slipstream3Positions,
    baseAddresses.aerodromeUniversalRouter,
    baseAddresses.aerodromeUniversalRouter2,
  ].map(lowercaseAddress),
);

/** Safe's contracts that only pass on the calls given to them. */
export const knownDelegates: ReadonlySet<Hex> = new Set<Hex>(
  [
    baseAddresses.safeMultiSend130,
    baseAddresses.safeMultiSend130Eip155,
    baseAddresses.safeMultiSendCallOnly130,
    baseAddresses.safeMultiSendCallOnly130Eip155,
    baseAddresses.safeMultiSend141,
    baseAddresses.safeMultiSendCallOnly141,
    baseAddresses.safeMultiSend150,
    baseAddresses.safeMultiSendCallOnly150,
  ].map(lowercaseAddress),
);
