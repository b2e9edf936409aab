import { color, serializeRGB } from "@csstools/css-color-parser";
import { parseComponentValue } from "@csstools/css-parser-algorithms";
import { tokenize } from "@csstools/css-tokenizer";
import { closeOf, splitCommas } from "./splitCss.js";

/** Red, green, blue from 0 to 255 and opacity from 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** What named colours depend on: the text's own colour, and the page's light or dark design. */
export interface ColourSetting {
  readonly current: Colour;
  readonly isDark: boolean;
  readonly isQuirks: boolean;
}

export const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };
/** The canvas colour of pages with a dark design. */
export const DARK: Colour = { red: 18, green: 18, blue: 18, alpha: 1 };

/** The system colours of CSS Color 4, section 9, in browsers with a light and a dark design. */
const SYSTEM: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  accentcolor: ["rgb(0 95 184)", "rgb(96 165 250)"],
  accentcolortext: ["rgb(255 255 255)", "rgb(0 0 0)"],
  activetext: ["rgb(255 0 0)", "rgb(255 158 158)"],
  buttonborder: ["rgb(118 118 118)", "rgb(133 133 133)"],
  buttonface: ["rgb(239 239 239)", "rgb(107 107 107)"],
  buttontext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  canvas: ["rgb(255 255 255)", "rgb(18 18 18)"],
  canvastext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  field: ["rgb(255 255 255)", "rgb(59 59 59)"],
  fieldtext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  graytext: ["rgb(109 109 109)", "rgb(150 150 150)"],
  highlight: ["rgb(181 213 255)", "rgb(60 100 160)"],
  highlighttext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  linktext: ["rgb(0 0 238)", "rgb(158 158 255)"],
  mark: ["rgb(255 255 0)", "rgb(255 255 0)"],
  marktext: ["rgb(0 0 0)", "rgb(0 0 0)"],
  selecteditem: ["rgb(0 95 184)", "rgb(96 165 250)"],
  selecteditemtext: ["rgb(255 255 255)", "rgb(0 0 0)"],
  visitedtext: ["rgb(85 26 139)", "rgb(208 173 240)"],
  // Deprecated names of system colours that text or ground may have (CSS Color 4, appendix A).
  window: ["rgb(255 255 255)", "rgb(18 18 18)"],
  windowtext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  background: ["rgb(255 255 255)", "rgb(18 18 18)"],
  menu: ["rgb(255 255 255)", "rgb(18 18 18)"],
  menutext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  infobackground: ["rgb(255 255 255)", "rgb(18 18 18)"],
  infotext: ["rgb(0 0 0)", "rgb(255 255 255)"],
  threedface: ["rgb(239 239 239)", "rgb(107 107 107)"],
  captiontext: ["rgb(0 0 0)", "rgb(255 255 255)"],
};
const NAMED_BY_SETTING = new RegExp(
  `(?<![\\w-])(currentcolor|${Object.keys(SYSTEM).join("|")})(?![\\w(-])`,
  "g",
);

const PLAIN: ColourSetting = { current: BLACK, isDark: false, isQuirks: false };
const MAX_KNOWN = 10_000;
const known = new Map<string, Colour | undefined>();

/** A CSS colour in any notation; undefined for anything else. */
export function parseColour(text: string, setting: ColourSetting = PLAIN): Colour | undefined {
  const value = text.trim().toLowerCase();
  if (value === "" || value.length > 1_000) return undefined;
  const plain = chooseDesign(value, setting.isDark).replaceAll(NAMED_BY_SETTING, (name) =>
    name === "currentcolor" ? writeColour(setting.current) : (SYSTEM[name]?.[setting.isDark ? 1 : 0] ?? name),
  );
  const found = parseCached(plain);
  // In quirks mode the `#` may be missing (Quirks Mode, section 3.1).
  if (found === undefined && setting.isQuirks && /^([0-9a-f]{3}|[0-9a-f]{6})$/.test(plain))
    return parseCached(`#${plain}`);
  return found;
}

const writeColour = ({ red, green, blue, alpha }: Colour) => `rgb(${red} ${green} ${blue} / ${alpha})`;

function chooseDesign(value: string, isDark: boolean): string {
  let text = value;
  for (let round = 0; round < 20; round++) {
    const start = text.indexOf("light-dark(");
    if (start < 0) return text;
    const end = closeOf(text, start + 10);
    const [light = "", dark = ""] = splitCommas(text.slice(start + 11, end));
    text = `${text.slice(0, start)}${isDark ? dark : light}${text.slice(end + 1)}`;
  }
  return text;
}

function parseCached(text: string): Colour | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= MAX_KNOWN) known.clear();
  const found = parseUncached(text);
  known.set(text, found);
  return found;
}

function parseUncached(text: string): Colour | undefined {
  const component = parseComponentValue(tokenize({ css: text }));
  const data = component && color(component);
  if (!data) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = (
    serializeRGB(data)
      .toString()
      .match(/[\d.]+/g) ?? []
  ).map(Number);
  return { red, green, blue, alpha };
}

/** One colour composited over an opaque one. */
export function layOver(upper: Colour, lower: Colour, share = upper.alpha): Colour {
  const mix = (one: number, other: number) => one * share + other * (1 - share);
  return {
    red: mix(upper.red, lower.red),
    green: mix(upper.green, lower.green),
    blue: mix(upper.blue, lower.blue),
    alpha: 1,
  };
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
