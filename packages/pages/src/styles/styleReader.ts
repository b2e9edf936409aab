import type { ComputedStyle } from "./computeStyle.js";
import { measure } from "./measure.js";

/** Reads an element's values and records the first property that was not understood. */
export interface StyleReader {
  /** The value, or `otherwise` where there is none. */
  word(property: string, otherwise: string): string;
  /** CSS pixels; null where it is not set or is a keyword such as `auto`. */
  length(property: string, percentOf: number): number | null;
  /** Returns `result`, or records the property as not understood and returns `otherwise`. */
  understood<T>(property: string, result: T | undefined, otherwise: T): T;
  /** The first property that was not understood, or null. */
  unclear(): string | null;
}

/** `sizes` are the element's own, to which its relative units refer. */
export function createStyleReader(
  style: Pick<ComputedStyle, "get" | "unclear">,
  sizes: { readonly fontSize: number; readonly rootFontSize: number },
): StyleReader {
  let first: string | null = null;
  const recordUnclear = (property: string) => {
    if (style.unclear.has(property)) first ??= property;
  };
  return {
    word(property, otherwise) {
      recordUnclear(property);
      return style.get(property) ?? otherwise;
    },
    length(property, percentOf) {
      recordUnclear(property);
      const value = style.get(property);
      if (value === undefined || /^[-a-z]+$/.test(value) || /^fit-content\(/.test(value)) return null;
      const found = measure(value, { ...sizes, percentOf });
      if (found === undefined) first ??= property;
      return found ?? null;
    },
    understood(property, result, otherwise) {
      if (result !== undefined) return result;
      first ??= property;
      return otherwise;
    },
    unclear: () => first,
  };
}
