/** Red, green, blue from 0 to 255 and opacity from 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Those that pages use to hide text in or on; others are left unjudged. */
const NAMES: Readonly<Record<string, string>> = {
  aqua: "0ff",
  beige: "f5f5dc",
  black: "000",
  blue: "00f",
  darkblue: "00008b",
  darkgray: "a9a9a9",
  darkgrey: "a9a9a9",
  fuchsia: "f0f",
  ghostwhite: "f8f8ff",
  gray: "808080",
  green: "008000",
  grey: "808080",
  ivory: "fffff0",
  lightgray: "d3d3d3",
  lightgrey: "d3d3d3",
  lime: "0f0",
  maroon: "800000",
  mintcream: "f5fffa",
  navy: "000080",
  olive: "808000",
  orange: "ffa500",
  purple: "800080",
  red: "f00",
  silver: "c0c0c0",
  snow: "fffafa",
  teal: "008080",
  white: "fff",
  whitesmoke: "f5f5f5",
  yellow: "ff0",
};

export const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** A CSS colour in hex, by common name, in rgb() or hsl(); undefined for anything else. */
export function parseColour(text: string): Colour | undefined {
  const value = text.trim().toLowerCase();
  if (value === "transparent") return { ...BLACK, alpha: 0 };
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1] ?? NAMES[value];
  if (hex !== undefined) return parseHex(hex);
  const [, name, inside = ""] = /^(rgb|hsl)a?\(([^)]*)\)$/.exec(value) ?? [];
  const parts = inside.split(/[\s,/]+/).filter(Boolean);
  const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = parts.map(Number.parseFloat);
  if (name === undefined || [first, second, third].some(Number.isNaN)) return undefined;
  const alpha = parts[3] === undefined ? 1 : Number.parseFloat(parts[3]) / (parts[3].endsWith("%") ? 100 : 1);
  if (name === "hsl") return { ...fromHsl(first, second / 100, third / 100), alpha };
  const scale = inside.includes("%") ? 2.55 : 1;
  return { red: first * scale, green: second * scale, blue: third * scale, alpha };
}

function parseHex(digits: string): Colour | undefined {
  const long = digits.length <= 4 ? digits.replaceAll(/./g, "$&$&") : digits;
  if (long.length !== 6 && long.length !== 8) return undefined;
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16);
  return { red: at(0), green: at(2), blue: at(4), alpha: long.length === 8 ? at(6) / 255 : 1 };
}

/** CSS Color 4, section 7.1. */
function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const chroma = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return { red: channel(0), green: channel(8), blue: channel(4), alpha: 1 };
}

/** Contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white. */
export function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf({ red, green, blue }: Colour): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
