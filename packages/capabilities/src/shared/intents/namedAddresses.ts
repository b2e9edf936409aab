import type { Hex } from "@assay/protocol";
import { unique } from "../verdict/note.js";
import { findAddressWords } from "./addressWords.js";
import type { DecodedCall } from "./decodeCalls.js";

/** Every address among decoded arguments, and in bytes among them that are not decoded. */
function listAddresses(value: unknown): Hex[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(listAddresses);
  if (typeof value !== "string" || !/^0x[0-9a-f]+$/.test(value)) return [];
  if (value.length === 42) return BigInt(value) > 0xffffn ? [value as Hex] : [];
  return value.length > 2 + 64 ? findAddressWords(value as Hex) : [];
}

/** Addresses that the arguments of a call name, whether or not its function is known. */
export const listNamed = ({ args, named }: DecodedCall): Hex[] =>
  unique(args === null ? named : listAddresses(args));

/** Addresses in the calls that a known function passes on, where those were not opened: as of a stream of tokens. */
export function listNamedInside({ meaning, inner }: DecodedCall): Hex[] {
  const isOpaque = inner.length === 0 && (meaning?.effect === "other" || meaning?.effect === "batch");
  return isOpaque ? unique(listAddresses(meaning?.roles.calls)) : [];
}

/**
 * What a position stands on, as the call names it that opens it: the tokens, the oracle, the pool, the hooks. Who gets the
 * position is judged elsewhere.
 */
export function listBeneath(call: DecodedCall): Hex[] {
  const { meaning, to, caller, signature } = call;
  if (meaning?.effect !== "deposit" && meaning?.effect !== "stake") return [];
  // Morpho seizes collateral for a debt alone, so the maker of the oracle cannot take it before there is one.
  if (/^(s|morphoS)upplyCollateral\(/.test(signature ?? "")) return [];
  const { recipient, owner, spender } = meaning.roles;
  const persons: readonly unknown[] = [recipient, owner, spender, to, caller];
  return listNamed(call).filter((address) => !persons.includes(address));
}
