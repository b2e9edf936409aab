import { calc } from "@csstools/css-calc";

/** The sizes that relative units refer to, in CSS pixels. */
export interface Measures {
  readonly fontSize: number;
  readonly rootFontSize: number;
  /** The whole that a percentage refers to; 1 where the result stays a share. */
  readonly percentOf: number;
}

/** The window that relative units refer to, in CSS pixels. */
export const WINDOW = { width: 1280, height: 800 } as const;

/** CSS Values 4, section 6.2. */
const PIXELS: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  // Angles are converted to degrees, times to seconds.
  deg: 1,
  grad: 0.9,
  rad: 180 / Math.PI,
  turn: 360,
  s: 1,
  ms: 0.001,
};
const FONT_UNITS: Readonly<Record<string, number>> = {
  em: 1,
  ch: 0.5,
  ex: 0.5,
  cap: 0.7,
  ic: 1,
  lh: 1.2,
};
const DIMENSION = /([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]+)?/gi;
const WHOLE = new RegExp(`^${DIMENSION.source}$`, "i");
/** Larger than any window; browsers treat infinity as a number of this size. */
const MAX_PIXELS = 1e7;

/**
 * A length in CSS pixels, an angle in degrees, a time in seconds or a plain number, as a literal or computed by `calc()`.
 * Undefined for anything else and for what is not understood.
 */
export function measure(text: string, measures: Measures): number | undefined {
  const [, number, unit = ""] = WHOLE.exec(text.trim()) ?? [];
  if (number !== undefined) {
    const size = sizeOf(unit, measures);
    return size === undefined ? undefined : bound(Number(number) * size);
  }
  if (!/\(/.test(text) || text.length > 2_000) return undefined;
  return compute(text, measures);
}

/** Converts all units to one first, so that `calc()` can add them. */
function compute(text: string, measures: Measures): number | undefined {
  let isUnknown = false;
  const isLength = /\d(%|[a-z])/i.test(text) && !/\d(deg|rad|turn|grad)\b/i.test(text);
  const plain = text
    .replaceAll(
      /\benv\(\s*[-\w]+\s*(?:,([^()]*))?\)/gi,
      (_, otherwise?: string) => otherwise?.trim() || "0px",
    )
    .replaceAll(/-webkit-calc\(|-moz-calc\(/gi, "calc(")
    .replaceAll(
      new RegExp(`(?<![\\w-])${DIMENSION.source}`, "gi"),
      (whole, number: string, unit?: string) => {
        if (unit === undefined || /^(deg|grad|rad|turn)$/i.test(unit)) return whole;
        const size = sizeOf(unit, measures);
        if (size === undefined) isUnknown = true;
        return `${(Number(number) * (size ?? 0)).toFixed(6)}${isLength ? "px" : ""}`;
      },
    );
  if (isUnknown) return undefined;
  const result = simplify(plain.trim());
  const endless = /^calc\(\s*(-?)infinity(?:\s*\*\s*1(?:px|deg))?\s*\)$/i.exec(result);
  if (endless) return endless[1] === "-" ? -MAX_PIXELS : MAX_PIXELS;
  const [, number, unit = ""] = WHOLE.exec(result) ?? [];
  return number === undefined ? undefined : bound(Number(number) * (PIXELS[unit.toLowerCase()] ?? 1));
}

/** css-calc fails at some text that is no expression; what it does not understand otherwise, it returns as it is. */
function simplify(text: string): string {
  try {
    return calc(text);
  } catch {
    return text;
  }
}

function sizeOf(unit: string, { fontSize, rootFontSize, percentOf }: Measures): number | undefined {
  const name = unit.toLowerCase();
  if (name === "%") return percentOf / 100;
  if (Object.hasOwn(PIXELS, name)) return PIXELS[name];
  const share = /^(?:[sld]?v|cq)(w|h|i|b|min|max)$/.exec(name)?.[1];
  if (share !== undefined) return (/^(w|i|max)$/.test(share) ? WINDOW.width : WINDOW.height) / 100;
  const isRoot = name.startsWith("r");
  const fontUnit = isRoot ? name.slice(1) : name;
  const font = Object.hasOwn(FONT_UNITS, fontUnit) ? FONT_UNITS[fontUnit] : undefined;
  return font === undefined ? undefined : font * (isRoot ? rootFontSize : fontSize);
}

const bound = (value: number) => Math.max(-MAX_PIXELS, Math.min(MAX_PIXELS, value));
