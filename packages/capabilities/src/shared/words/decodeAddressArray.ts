import type { Hex } from "@assay/protocol";

const MAX_ADDRESSES = 256;

/**
 * The addresses in an ABI-encoded `address[]`, at most 256 of them, or null when the bytes are
 * something else. Written for answers of unknown contracts: it never throws.
 */
export function decodeAddressArray(data: Hex): Hex[] | null {
  const words = data.toLowerCase().slice(2).match(/.{64}/g) ?? [];
  const [offset, count] = words;
  if (offset === undefined || count === undefined || BigInt(`0x${offset}`) !== 32n) return null;
  const stated = BigInt(`0x${count}`);
  const taken = stated > BigInt(MAX_ADDRESSES) ? MAX_ADDRESSES : Number(stated);
  const entries = words.slice(2, 2 + taken);
  if (entries.length < taken || entries.some((entry) => !entry.startsWith("0".repeat(24)))) return null;
  return entries.map((entry): Hex => `0x${entry.slice(24)}`);
}
