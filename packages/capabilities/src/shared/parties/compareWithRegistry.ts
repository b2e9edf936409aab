import type { Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { bytesToHex, hexToBytes } from "viem";
import type { KnownParty, PublishedCode, ReadCode } from "./knownParty.js";

/**
 * - `matches`: the code, or the implementation of a proxy, is a published one.
 * - `listed`: the address is published, but no hash of its code is.
 * - `changed`: hashes are published and none fits.
 * - `unread`: hashes are published, and what is needed to compare was not read.
 */
export type Standing = "matches" | "listed" | "changed" | "unread";

/**
 * Compares code with what is published for its address. An implementation that is not published does not make a proxy
 * `changed`: governance replaces implementations. The code at the address itself decides that.
 */
export function compareWithRegistry(
  party: KnownParty,
  code: ReadCode | undefined,
  implementation?: Hex,
): Standing {
  if (party.code.length > 0) {
    if (code === undefined) return "unread";
    const outcomes = party.code.map((published) => fits(published, code));
    if (!outcomes.includes(true)) return outcomes.includes(undefined) ? "unread" : "changed";
  }
  if (party.implementations.length === 0) return party.code.length > 0 ? "matches" : "listed";
  if (implementation === undefined) return "listed";
  return isPublishedImplementation(party, implementation) ? "matches" : "listed";
}

export const isPublishedImplementation = (party: KnownParty, implementation: Hex): boolean =>
  party.implementations.includes(implementation.toLowerCase() as Hex);

/** Undefined when the bytes are needed and were not read. */
function fits(published: PublishedCode, code: ReadCode): boolean | undefined {
  if (!published.immutables?.length) return published.hash === code.hash.toLowerCase();
  return code.bytes === undefined
    ? undefined
    : hashWithoutImmutables(code.bytes, published.immutables) === published.hash;
}

/** The hash of code whose given ranges are zero. Ranges outside of the code are ignored: the hash differs anyway. */
export function hashWithoutImmutables(
  code: Hex,
  ranges: readonly (readonly [offset: number, length: number])[],
): Hex {
  const bytes = hexToBytes(code);
  for (const [offset, length] of ranges) bytes.fill(0, offset, offset + length);
  return keccak256(bytesToHex(bytes));
}
