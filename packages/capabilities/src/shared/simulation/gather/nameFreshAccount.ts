import type { Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { concat, stringToHex } from "viem";

/**
 * An account that nobody can have prepared: its address follows from the block's hash, the subject and the account's
 * part.
 */
export const nameFreshAccount = (blockHash: Hex, subject: Hex, part: string): Hex =>
  `0x${keccak256(concat([blockHash, subject, stringToHex(part)])).slice(-40)}`;
