import type { Hex } from "@assay/protocol";

/** An account with ten ether and eight cents, which pays nobody before. */
export const POOR: Hex = "0x00000000000000000000000000000000a11ce0cc";
/** An account with ten ether and a thousand dollars. */
export const FRUGAL: Hex = "0x00000000000000000000000000000000a11ce0ee";
/** Smallest units of dollars that each of them holds. */
export const endowments: readonly (readonly [holder: Hex, amount: bigint])[] = [
  [POOR, 80_000n],
  [FRUGAL, 1_000_000_000n],
];
