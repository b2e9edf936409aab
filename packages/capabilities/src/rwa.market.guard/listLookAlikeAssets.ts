import type { Hex, Reading } from "@assay/protocol";
import type { ListedAsset } from "../shared/issuers/listedAsset.js";
import { decodeTokenLabel } from "../shared/labels/decodeTokenLabel.js";
import { foldLookAlikes, looksLike } from "../shared/labels/foldLookAlikes.js";

/** Further ones would add nothing to the verdict. */
export const MAX_LOOK_ALIKES = 8;

/** The listed assets at other addresses that one of these labels resembles. */
export function listLookAlikeAssets(
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
    .slice(0, MAX_LOOK_ALIKES);
}

/** The text of a label as the contract gave it, hidden characters included; null where there is none. */
export function readLabel(answer: Reading<Hex>): string | null {
  if (answer.status !== "value") return null;
  const label = decodeTokenLabel(answer.value);
  return label.form === null ? null : label.text;
}
