import type { Hex } from "@assay/protocol";
import { baseAddresses, lowercaseAddress } from "./baseAddresses.js";

// Contracts of Base in lower case, as readings hold addresses.
export const WETH = lowercaseAddress(baseAddresses.weth);
export const USDC = lowercaseAddress(baseAddresses.usdc);
export const CB_BTC = lowercaseAddress(baseAddresses.cbBtc);
export const PERMIT2 = lowercaseAddress(baseAddresses.permit2);

/** It only makes the calls that are given to it, like the routers. */
export const MULTICALL3 = lowercaseAddress(baseAddresses.multicall3);

/**
 * Safe's MultiSend and MultiSendCallOnly, 1.3.0 (both deployments) and 1.4.1: they only pass on the calls given to
 * them.
 */
export const knownDelegates: ReadonlySet<Hex> = new Set<Hex>([
  "0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
  "0x998739bfdaadde7c933b942a68053933098f9eda",
  "0x40a2accbd92bca938b02010e17a5b8929b49130d",
  "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b",
  "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
]);
