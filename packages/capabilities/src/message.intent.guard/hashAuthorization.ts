import type { Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { concatHex, toRlp } from "viem";

/** Of EIP-7702. Both numbers are decimal and may be larger than a JavaScript number is exact. */
interface Authorization {
  readonly chainId: string;
  readonly address: Hex;
  readonly nonce: string;
}

/** keccak256(0x05 || rlp([chainId, address, nonce])). */
export function hashAuthorization({ chainId, address, nonce }: Authorization): Hex {
  return keccak256(concatHex(["0x05", toRlp([toBytes(chainId), address, toBytes(nonce)])]));
}

/** Whole bytes without leading zeros, so that zero has none. */
function toBytes(quantity: string): Hex {
  const digits = BigInt(quantity).toString(16);
  if (digits === "0") return "0x";
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`;
}
