import type { Hex } from "./primitives.js";

// Contracts of Base that several packages name, in the spelling of EIP-55.

export const BASE_USDC: Hex = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
/** The wrapped native currency, at the same address on every OP-stack chain. */
export const BASE_WETH: Hex = "0x4200000000000000000000000000000000000006";
/** At the same address on nearly every chain. */
export const BASE_MULTICALL3: Hex = "0xcA11bde05977b3631167028862bE2a173976CA11";
