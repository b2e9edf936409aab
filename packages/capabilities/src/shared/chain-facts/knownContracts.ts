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

/** It only makes the calls that are given to it, like the routers. */
export const MULTICALL3 = lowercaseAddress(baseAddresses.multicall3);

/**
 * Safe's MultiSend and MultiSendCallOnly, 1.3.0 (both deployments), 1.4.1 and 1.5.0: they only pass on the calls given to them.
 * @safe-global/safe-deployments@1.37.56 dist/assets
 */
export const knownDelegates: ReadonlySet<Hex> = new Set<Hex>([
  "0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
  "0x998739bfdaadde7c933b942a68053933098f9eda",
  "0x40a2accbd92bca938b02010e17a5b8929b49130d",
  "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b",
  "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
  "0x218543288004cd07832472d464648173c77d7eb7",
  "0xa83c336b20401af773b6219ba5027174338d1836",
]);
