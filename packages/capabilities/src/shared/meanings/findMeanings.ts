import type { Hex } from "@assay/protocol";
import { type Meaning, readMeanings } from "./meaning.js";
import { accountsMeanings } from "./texts/accounts.js";
import { tokensMeanings } from "./texts/tokens.js";

let bySelector: Map<string, Meaning[]> | undefined;

/** Read from the texts when they are first needed. */
function indexMeanings(): ReadonlyMap<string, Meaning[]> {
  if (bySelector !== undefined) return bySelector;
  bySelector = new Map();
  for (const meaning of readMeanings([tokensMeanings, accountsMeanings].join("\n"))) {
    const known = bySelector.get(meaning.selector);
    if (known) known.push(meaning);
    else bySelector.set(meaning.selector, [meaning]);
  }
  return bySelector;
}

/** Several protocols may share one selector; the most common meaning comes first. */
export function findMeanings(selector: Hex): readonly Meaning[] {
  return indexMeanings().get(selector.toLowerCase()) ?? [];
}

export const listMeanings = (): readonly Meaning[] => [...indexMeanings().values()].flat();
