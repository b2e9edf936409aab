import { fromRlp, type Hex } from "viem";

/** An item of RLP: bytes, or a list of items. */
export type Rlp = Hex | readonly Rlp[];

/** A node's JSON cannot be encoded as bytes, or bytes do not have the expected form. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
}

/** RLP writes a number without leading zeros, and zero as no bytes. */
export function shortestBytes(quantity: Hex): Hex {
  const digits = quantity.slice(2).replace(/^0+/, "");
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

/** Throws `EncodingError`. */
export function decodeRlp(bytes: Hex, what: string): Rlp {
  try {
    return fromRlp(bytes, "hex") as Rlp;
  } catch {
    throw new EncodingError(`${what} is not RLP`);
  }
}

/** The items of a list; throws `EncodingError`. */
export function rlpList(item: Rlp | undefined, what: string): readonly Rlp[] {
  if (item === undefined || typeof item === "string") throw new EncodingError(`${what} is no list`);
  return item;
}

/** Bytes, of exactly `size` where one is given; throws `EncodingError`. */
export function rlpBytes(item: Rlp | undefined, what: string, size?: number): Hex {
  if (typeof item !== "string" || (size !== undefined && item.length !== 2 + size * 2))
    throw new EncodingError(`${what} is not ${size === undefined ? "bytes" : `${size} bytes`}`);
  return item;
}

/** A number of at most 256 bits, written in the one form without leading zeros; throws `EncodingError`. */
export function rlpNumber(item: Rlp | undefined, what: string): bigint {
  const bytes = rlpBytes(item, what);
  if (bytes === "0x") return 0n;
  if (bytes.length > 66 || bytes.startsWith("0x00")) throw new EncodingError(`${what} is no number`);
  return BigInt(bytes);
}
