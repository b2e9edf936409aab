import type { Hex } from "@assay/protocol";
import { concat, keccak256, stringToHex } from "viem";

/** An account that nobody can have prepared for: it is named by the very block, and told apart by its part in a question. */
export const nameFreshAccount = (blockHash: Hex, subject: Hex, part: string): Hex =>
  `0x${keccak256(concat([blockHash, subject, stringToHex(part)])).slice(-40)}`;
