import type { AnyReading } from "./readMemo.js";

/** Whether two nodes told the same. Not every node passes on what a call reverted with, so only given bytes can differ. */
export function areSameReading(first: AnyReading, second: AnyReading): boolean {
  if (first.status === "reverted" && second.status === "reverted")
    return first.data === null || second.data === null || first.data === second.data;
  if (first.status === "value" && second.status === "value") return first.value === second.value;
  return first.status === second.status;
}
