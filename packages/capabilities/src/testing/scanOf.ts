import type { SelectorScan } from "../shared/code/selectorScan.js";

/** A scan that found these selectors. */
export const scanOf = (selectors: readonly string[]): { status: "value"; value: SelectorScan } => ({
  status: "value",
  value: { scanner: "sample 1.0.0", source: "now", selectors: [...new Set(selectors)].sort() },
});
