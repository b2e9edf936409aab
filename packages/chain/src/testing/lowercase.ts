import type { Hex } from "@assay/protocol";

/** Addresses and hashes as answers write them. */
export const lowercase = (hex: string) => hex.toLowerCase() as Hex;
