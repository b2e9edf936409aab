import type { Hex, Reading } from "@assay/protocol";
import { decodeTokenLabel } from "../shared/labels/decodeTokenLabel.js";
import { foldLookAlikes, looksLike } from "../shared/labels/foldLookAlikes.js";
import type { ListedAsset } from "./listedAsset.js";

/** More of them would add nothing to the verdict. */
export const MAX_ALIKE = 8;

/** The listed assets at other addresses that one of these labels can pass for. */
export function listAlike(
  list: readonly ListedAsset[],
  address: Hex,
  labels: readonly (string | null)[],
): ListedAsset[] {
  const folded = labels.flatMap((label) => (label === null ? [] : [foldLookAlikes(label)]));
  return list
    .filter(({ addresses }) => !addresses.includes(address))
    .filter(({ symbol }) => {
      const listed = foldLookAlikes(symbol);
      return folded.some((own) => looksLike(own, listed));
    })
    .slice(0, MAX_ALIKE);
}

/** The text of a label as the contract gave it, hidden characters included; null where there is none. */
export function readLabel(answer: Reading<Hex>): string | null {
  if (answer.status !== "value") return null;
  const label = decodeTokenLabel(answer.value);
  return label.form === null ? null : label.text;
}
