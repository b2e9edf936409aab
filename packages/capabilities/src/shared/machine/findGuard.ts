import {
  describeBase,
  findEqual,
  isLoad,
  isPlainly,
  listLeaves,
  loadedPlace,
  readWidth,
  strip,
} from "./expression.js";
import type { Value } from "./value.js";

/** Who may come this far: the account in a slot, one written in the code, one of a list, or who signed. */
export type Guard = `slot ${string}` | `account ${string}` | `list ${string}` | "signature" | "holder";

/** Who gets further where a condition has this outcome. */
export function findGuard(condition: Value, outcome: boolean): Guard | null {
  const pair = findEqual(condition, outcome);
  if (pair !== null) {
    const [a, b] = pair;
    const other = isPlainly(a, "caller") ? b : isPlainly(b, "caller") ? a : null;
    if (other !== null) return nameAccount(other);
    const signed = isSigner(strip(a)) ? b : isSigner(strip(b)) ? a : null;
    if (signed !== null && isPlainly(signed, "calldata")) return "signature";
  }
  // A list of those who may: the entry of the caller is compared, or is simply there.
  const lists = listLeaves(condition).flatMap((leaf) => {
    const place = loadedPlace(leaf);
    return place?.keys.some((key) => isPlainly(key, "caller")) ? [place] : [];
  });
  const [list] = lists;
  return list === undefined ? null : `list ${describeBase(list)}`;
}

/** An answer of the precompiled contract that recovers a signer. */
export const isSigner = (value: Value): boolean =>
  value.sources.some((source) => source.from === "call" && source.to.word === 1n);

function nameAccount(value: Value): Guard | null {
  if (value.word !== null) return `account 0x${value.word.toString(16).padStart(40, "0")}`;
  const place = loadedPlace(strip(value));
  // Many accounts share a part of their address with the one in the slot.
  if (readWidth(value) < 160) return null;
  if (place !== null && place.keys.length === 0 && isLoad(strip(value))) return `slot ${place.base}`;
  return isPlainly(value, "calldata") ? "holder" : null;
}
