import type { Hex } from "@assay/protocol";

/** Addresses and hashes as answers write them. */
export const low = (hex: string) => hex.toLowerCase() as Hex;
