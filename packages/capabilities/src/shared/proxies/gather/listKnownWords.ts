import type { Hex, Reading } from "@assay/protocol";
import { addressInWord, isZeroWord } from "../../words/addressInWord.js";
import { type KnownSlot, knownSlots } from "../knownSlots.js";

/** The words that were read under their names, as code that runs finds them, and the beacon among them. */
export function listKnownWords(
  slots: Readonly<Partial<Record<KnownSlot, Reading<Hex>>>> & { readonly eip1967Beacon: Reading<Hex> },
): { readonly slots: ReadonlyMap<Hex, Hex>; readonly beacon: Hex | null } {
  const known = Object.entries(slots).flatMap(([name, word]): [Hex, Hex][] =>
    word.status === "value" ? [[knownSlots[name as KnownSlot], word.value]] : [],
  );
  const word = slots.eip1967Beacon;
  const beacon = word.status === "value" && !isZeroWord(word.value) ? addressInWord(word.value) : null;
  return { slots: new Map(known), beacon };
}
