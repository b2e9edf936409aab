import { measure } from "./measure.js";
import type { Colour } from "./parseColour.js";
import { listFunctions } from "./splitCss.js";

export type ColourMap = (colour: Colour) => Colour;

export interface Filter {
  readonly opacity: number;
  /** Radius in CSS pixels. */
  readonly blur: number;
  readonly map: ColourMap | null;
}

const eachChannel =
  (change: (channel: number) => number): ColourMap =>
  ({ red, green, blue, alpha }) => {
    const bound = (channel: number) => Math.max(0, Math.min(255, change(channel)));
    return { red: bound(red), green: bound(green), blue: bound(blue), alpha };
  };

/** How a filter changes each channel, by its amount (Filter Effects 1, section 12). */
const CHANNELS: Readonly<Record<string, (amount: number) => ColourMap>> = {
  brightness: (amount) => eachChannel((channel) => channel * amount),
  contrast: (amount) => eachChannel((channel) => (channel - 127.5) * amount + 127.5),
  invert: (amount) => eachChannel((channel) => channel * (1 - 2 * amount) + 255 * amount),
};
/** Filters that do not change whether text can be read. */
const HARMLESS = new Set(["grayscale", "sepia", "saturate", "hue-rotate", "drop-shadow", "progid"]);

/** The effect of `filter`; undefined where it is not understood, such as a reference to an SVG filter. */
export function readFilter(value: string, fontSize: number): Filter | undefined {
  if (value === "none") return { opacity: 1, blur: 0, map: null };
  // Only Internet Explorer knows these; other browsers ignore them.
  if (value.startsWith("progid:") || /^alpha\(/.test(value)) return { opacity: 1, blur: 0, map: null };
  let opacity = 1;
  let blur = 0;
  const maps: ColourMap[] = [];
  const functions = listFunctions(value);
  if (functions === undefined) return undefined;
  for (const { name, inside } of functions) {
    if (HARMLESS.has(name)) continue;
    const isRadius = name === "blur";
    const given = inside === "" ? (isRadius ? "0" : "1") : inside;
    const amount = measure(given, { fontSize, rootFontSize: 16, percentOf: 1 });
    const map = CHANNELS[name];
    if (amount === undefined || (!isRadius && name !== "opacity" && !map)) return undefined;
    if (isRadius) blur += amount;
    else if (map) maps.push(map(amount));
    else opacity *= Math.min(1, amount);
  }
  const map = maps.length === 0 ? null : (colour: Colour) => maps.reduce((last, each) => each(last), colour);
  return { opacity, blur, map };
}

/** Compositing 1, section 9, for one channel from 0 to 1; `under` is the backdrop, `over` the source. */
const BLENDS: Readonly<Record<string, (under: number, over: number) => number>> = {
  multiply: (under, over) => under * over,
  screen: (under, over) => under + over - under * over,
  overlay: (under, over) => hardLight(over, under),
  darken: Math.min,
  lighten: Math.max,
  "color-dodge": (under, over) => (under === 0 ? 0 : over === 1 ? 1 : Math.min(1, under / (1 - over))),
  "color-burn": (under, over) => (under === 1 ? 1 : over === 0 ? 0 : 1 - Math.min(1, (1 - under) / over)),
  "hard-light": (under, over) => hardLight(under, over),
  "soft-light": (under, over) => (1 - 2 * over) * under * under + 2 * over * under,
  difference: (under, over) => Math.abs(under - over),
  exclusion: (under, over) => under + over - 2 * under * over,
  "plus-lighter": (under, over) => Math.min(1, under + over),
  "plus-darker": (under, over) => Math.max(0, under + over - 1),
  // These keep the backdrop's lightness, on which readability depends.
  hue: (under) => under,
  saturation: (under) => under,
  color: (under) => under,
};

const hardLight = (under: number, over: number) =>
  over <= 0.5 ? under * 2 * over : under + (2 * over - 1) - under * (2 * over - 1);

/** A colour as `mix-blend-mode` shows it over a backdrop. */
export function blendOver(mode: string, over: Colour, under: Colour): Colour {
  const blend = BLENDS[mode];
  if (!blend) return over;
  const channel = (name: "red" | "green" | "blue") => 255 * blend(under[name] / 255, over[name] / 255);
  return { red: channel("red"), green: channel("green"), blue: channel("blue"), alpha: over.alpha };
}
