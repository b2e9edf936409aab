import { CHAIN_ID, type Hex } from "@assay/protocol";
import type { DigestSignature } from "../../base/secp256k1.js";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A transaction of a settling key: no value, no access list. */
export interface UnsignedOrder {
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly fees: Fees;
}

const even = (digits: string) => (digits.length % 2 === 0 ? digits : `0${digits}`);
/** RLP writes zero as no bytes, and numbers without leading zeros. */
const numberItem = (value: number | bigint) => item(BigInt(value) === 0n ? "" : even(value.toString(16)));
const wordItem = (word: Hex) => item(even(word.slice(2).replace(/^0+/, "")));

/** The length before some bytes of RLP, short or long. */
function lengthOf(bytes: number, base: 0x80 | 0xc0): string {
  if (bytes <= 55) return (base + bytes).toString(16);
  const size = even(bytes.toString(16));
  return `${(base + 55 + size.length / 2).toString(16)}${size}`;
}

function item(digits: string): string {
  const isItself = digits.length === 2 && Number.parseInt(digits, 16) < 0x80;
  return isItself ? digits : `${lengthOf(digits.length / 2, 0x80)}${digits}`;
}

/** EIP-1559: what is signed, or with a signature what is sent. It is joined as text, an order of magnitude faster than by its types. */
export function serializeOrder(
  { nonce, to, data, gas, fees }: UnsignedOrder,
  signature?: DigestSignature,
): Hex {
  const items = [
    ...[CHAIN_ID, nonce, fees.maxPriorityFeePerGas, fees.maxFeePerGas, gas].map(numberItem),
    ...[item(to.slice(2).toLowerCase()), numberItem(0), item(data.slice(2)), "c0"],
    ...(signature ? [numberItem(signature.yParity), wordItem(signature.r), wordItem(signature.s)] : []),
  ].join("");
  return `0x02${lengthOf(items.length / 2, 0xc0)}${items}`;
}
