import type { Hex } from "@assay/protocol";

/** Contracts of Base whose meaning does not depend on who asks. Lower case. */
export const WETH: Hex = "0x4200000000000000000000000000000000000006";
export const USDC: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const CB_BTC: Hex = "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf";
export const PERMIT2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** Like the routers, it does what the calls given to it say, and nothing else. */
export const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";

/** Safe's MultiSend and MultiSendCallOnly, 1.3.0 (both deployments) and 1.4.1: they only pass on the calls given to them. */
export const knownDelegates: ReadonlySet<Hex> = new Set<Hex>([
  "0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
  "0x998739bfdaadde7c933b942a68053933098f9eda",
  "0x40a2accbd92bca938b02010e17a5b8929b49130d",
  "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b",
  "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
]);
