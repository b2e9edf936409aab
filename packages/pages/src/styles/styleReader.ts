import type { ComputedStyle } from "./computeStyle.js";
import { measure } from "./measure.js";

/** Reads an element's values and remembers the first that was not understood. */
export interface StyleReader {
  /** The value, or what holds without one. */
  word(property: string, otherwise: string): string;
  /** CSS pixels; null for what is not set or is a word such as `auto`. */
  length(property: string, percentOf: number): number | null;
  /** What a part of the style comes to; `otherwise` where it is not understood. */
  understood<T>(property: string, result: T | undefined, otherwise: T): T;
  /** The property, or null. */
  unclear(): string | null;
}

/** Sizes are those of the element, which its relative units are counted in. */
export function createStyleReader(
  style: Pick<ComputedStyle, "get" | "unclear">,
  sizes: { readonly fontSize: number; readonly rootFontSize: number },
): StyleReader {
  let first: string | null = null;
  const see = (property: string) => {
    if (style.unclear.has(property)) first ??= property;
  };
  return {
    word(property, otherwise) {
      see(property);
      return style.get(property) ?? otherwise;
    },
    length(property, percentOf) {
      see(property);
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
