import type { Hex } from "@assay/protocol";

/** Addresses and hashes in the form that answers use. */
export const lowercase = (hex: string) => hex.toLowerCase() as Hex;
