import { calc } from "@csstools/css-calc";

/** What relative units are counted in, in CSS pixels. */
export interface Measures {
  readonly fontSize: number;
  readonly rootFontSize: number;
  /** What a percentage is a part of; 1 where it stays a share. */
  readonly percentOf: number;
}

/** The window in which relative units are counted. */
export const WINDOW = { width: 1280, height: 800 } as const;

/** CSS Values 4, section 6.2, and those that hang on the window. */
const PIXELS: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  // Angles come out in degrees, times in seconds.
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
/** Larger than any window, and what browsers make of infinity. */
const LARGEST = 1e7;

/**
 * A length in CSS pixels, an angle in degrees, a time in seconds or a plain number, written out or computed. Undefined
 * for what is neither or is not understood.
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

/** All units are made one first: `calc()` then has nothing left that it cannot add. */
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
  const result = calc(plain.trim());
  const endless = /^calc\(\s*(-?)infinity(?:\s*\*\s*1(?:px|deg))?\s*\)$/i.exec(result);
  if (endless) return endless[1] === "-" ? -LARGEST : LARGEST;
  const [, number, unit = ""] = WHOLE.exec(result) ?? [];
  return number === undefined ? undefined : bound(Number(number) * (PIXELS[unit.toLowerCase()] ?? 1));
}

function sizeOf(unit: string, { fontSize, rootFontSize, percentOf }: Measures): number | undefined {
  const name = unit.toLowerCase();
  if (name === "%") return percentOf / 100;
  if (name in PIXELS) return PIXELS[name];
  const share = /^(?:[sld]?v|cq)(w|h|i|b|min|max)$/.exec(name)?.[1];
  if (share !== undefined) return (/^(w|i|max)$/.test(share) ? WINDOW.width : WINDOW.height) / 100;
  const isRoot = name.startsWith("r");
  const font = FONT_UNITS[isRoot ? name.slice(1) : name];
  return font === undefined ? undefined : font * (isRoot ? rootFontSize : fontSize);
}

const bound = (value: number) => Math.max(-LARGEST, Math.min(LARGEST, value));
