import { type Hex, noAnswer, type Reading } from "@assay/protocol";
import type { KnownSlot } from "../../proxies/knownSlots.js";

/** Words in the order they were asked for, under the names of their slots. */
export function nameSlots<const Name extends KnownSlot>(
  names: readonly Name[],
  readings: readonly Reading<Hex>[],
): Record<Name, Reading<Hex>> {
  const entries = names.map((name, index) => [name, readings[index] ?? noAnswer]);
  return Object.fromEntries(entries) as Record<Name, Reading<Hex>>;
}
