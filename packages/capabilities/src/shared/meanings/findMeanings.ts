import type { Hex } from "@assay/protocol";
import { type Meaning, readMeanings } from "./meaning.js";
import { accountsMeanings } from "./texts/accounts.js";
import { aggregatorsMeanings } from "./texts/aggregators.js";
import { bridgesMeanings } from "./texts/bridges.js";
import { governanceMeanings } from "./texts/governance.js";
import { lendingMeanings } from "./texts/lending.js";
import { marketsMeanings } from "./texts/markets.js";
import { swapsMeanings } from "./texts/swaps.js";
import { tokensMeanings } from "./texts/tokens.js";

/** Standards first: where nothing is known of a contract, they are the likeliest meaning of a selector. */
const texts = [
  tokensMeanings,
  accountsMeanings,
  swapsMeanings,
  lendingMeanings,
  aggregatorsMeanings,
  bridgesMeanings,
  marketsMeanings,
  governanceMeanings,
];

let bySelector: Map<string, Meaning[]> | undefined;

/** Read from the texts when they are first needed. */
function indexMeanings(): ReadonlyMap<string, Meaning[]> {
  if (bySelector !== undefined) return bySelector;
  bySelector = new Map();
  for (const meaning of readMeanings(texts.join("\n"))) {
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
