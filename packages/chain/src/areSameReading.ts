import type { AnyReading } from "./readMemo.js";

/**
 * Whether two nodes gave the same reading. Not every node passes on the data a call reverted with, so two reverts differ only
 * where both nodes sent data.
 */
export function areSameReading(first: AnyReading, second: AnyReading): boolean {
  if (first.status === "reverted" && second.status === "reverted")
    return first.data === null || second.data === null || first.data === second.data;
  if (first.status === "value" && second.status === "value") return first.value === second.value;
  return first.status === second.status;
}
