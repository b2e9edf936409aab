import type { Hex } from "viem";
import { EncodingError, type Rlp, shortestBytes } from "./rlp.js";

/** An object as a node returns it over JSON-RPC. */
export type JsonObject = Readonly<Record<string, unknown>>;

const BYTES = /^0x(?:[0-9a-f]{2})*$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;

/** Bytes under that name, of exactly `size` where one is given. Throws `EncodingError`. */
export function jsonBytes(from: JsonObject, name: string, size?: number): Hex {
  const value = from[name];
  const hex = typeof value === "string" ? value.toLowerCase() : "";
  if (!BYTES.test(hex) || (size !== undefined && hex.length !== 2 + size * 2))
    throw new EncodingError(`${name} is not ${size === undefined ? "bytes" : `${size} bytes`}`);
  return hex as Hex;
}

/** A number under that name, in the form of RLP. Throws `EncodingError`. */
export function jsonQuantity(from: JsonObject, name: string): Hex {
  const value = from[name];
  const hex = typeof value === "string" ? value.toLowerCase() : "";
  if (!QUANTITY.test(hex)) throw new EncodingError(`${name} is no quantity`);
  return shortestBytes(hex as Hex);
}

/** An address under that name; no bytes where it is null, as in a contract creation. Throws `EncodingError`. */
export function jsonAddressOrNothing(from: JsonObject, name: string): Hex {
  return from[name] === null || from[name] === undefined ? "0x" : jsonBytes(from, name, 20);
}

/** The objects in the list under that name, each turned into an item of RLP. Throws `EncodingError`. */
export function jsonList(from: JsonObject, name: string, encode: (item: JsonObject) => Rlp): Rlp[] {
  const value = from[name];
  if (!Array.isArray(value)) throw new EncodingError(`${name} is no list`);
  return value.map((item: unknown) => {
    if (typeof item !== "object" || item === null) throw new EncodingError(`${name} holds no objects`);
    return encode(item as JsonObject);
  });
}

/** The words of 32 bytes in the list under that name. Throws `EncodingError`. */
export function jsonWords(from: JsonObject, name: string): Hex[] {
  const value = from[name];
  if (!Array.isArray(value)) throw new EncodingError(`${name} is no list`);
  return value.map((_, index) => jsonBytes(value as unknown as JsonObject, String(index), 32));
}
