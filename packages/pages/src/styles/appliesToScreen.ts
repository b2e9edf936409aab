import { type Certainty, certaintyOf, either, NO, opposite, PERHAPS, YES } from "./certainty.js";
import { evaluateCondition } from "./evaluateCondition.js";
import { measure } from "./measure.js";
import { splitCommas } from "./splitCss.js";

interface Screen {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** Desktop screens; a query with different results on them holds for some people only. */
const SCREENS: readonly Screen[] = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

/** The values of media features on such a screen (Media Queries 5). */
const FEATURES: Readonly<Record<string, string>> = {
  "any-hover": "hover",
  "any-pointer": "fine",
  "display-mode": "browser",
  "dynamic-range": "standard",
  "environment-blending": "opaque",
  "forced-colors": "none",
  grid: "0",
  hover: "hover",
  "inverted-colors": "none",
  "overflow-block": "scroll",
  "overflow-inline": "scroll",
  orientation: "landscape",
  pointer: "fine",
  "prefers-color-scheme": "light",
  "prefers-contrast": "no-preference",
  "prefers-reduced-data": "no-preference",
  "prefers-reduced-motion": "no-preference",
  "prefers-reduced-transparency": "no-preference",
  scan: "progressive",
  scripting: "enabled",
  update: "fast",
};
const FALSE_ALONE = new Set(["none", "no-preference", "0"]);

const NUMBERS: Readonly<Record<string, (screen: Screen) => number>> = {
  width: ({ width }) => width,
  height: ({ height }) => height,
  "device-width": ({ width }) => width,
  "device-height": ({ height }) => height,
  "aspect-ratio": ({ width, height }) => width / height,
  "device-aspect-ratio": ({ width, height }) => width / height,
  resolution: () => 1,
  "-webkit-device-pixel-ratio": () => 1,
  color: () => 8,
  "color-index": () => 0,
  monochrome: () => 0,
};

/** Whether one of these media queries holds on desktop screens: on all of them, on some, on none. */
export function appliesToScreen(list: string): Certainty {
  if (list.trim() === "") return YES;
  const answers = SCREENS.map((screen) =>
    splitCommas(list)
      .map((query) => evaluateQuery(query, screen))
      .reduce(either, NO),
  );
  return answers.every((answer) => answer === answers[0]) ? (answers[0] ?? PERHAPS) : PERHAPS;
}

function evaluateQuery(query: string, screen: Screen): Certainty {
  const [, modifier = "", type, rest = ""] =
    /^(?:(not|only)\s+)?([a-z][-\w]*)(?:\s+and\b\s*(.*))?$/is.exec(query) ?? [];
  if (type === undefined || /^(not|and|or)$/i.test(type))
    return evaluateCondition(query, (feature) => evaluateFeature(feature, screen));
  const isOurs = /^(all|screen)$/i.test(type);
  const own: Certainty = !isOurs
    ? NO
    : rest === ""
      ? YES
      : evaluateCondition(rest, (feature) => evaluateFeature(feature, screen));
  return modifier.toLowerCase() === "not" ? opposite(own) : own;
}

function evaluateFeature(feature: string, screen: Screen): Certainty {
  const text = feature.toLowerCase();
  const range = /^(?:(.+?)\s*([<>]=?|=))?\s*([-a-z]+)\s*(?:([<>]=?|=)\s*(.+))?$/s.exec(text);
  const [, left, leftSign, name = "", rightSign, right] = range ?? [];
  if (leftSign !== undefined || rightSign !== undefined) {
    const has = NUMBERS[name]?.(screen);
    if (has === undefined) return PERHAPS;
    const [low, high] = [left, right].map((side) => (side === undefined ? undefined : readNumber(side)));
    if ((left !== undefined && low === undefined) || (right !== undefined && high === undefined))
      return PERHAPS;
    return certaintyOf(
      (low === undefined || compare(low, leftSign, has)) &&
        (high === undefined || compare(has, rightSign, high)),
    );
  }
  const [, key = "", value] = /^([-\w]+)\s*(?::\s*(.+))?$/s.exec(text) ?? [];
  const known = FEATURES[key];
  if (known !== undefined)
    return certaintyOf(value === undefined ? !FALSE_ALONE.has(known) : value.trim() === known);
  const [, vendor = "", end, plain = key] = /^(-webkit-)?(?:(min|max)-)?(.+)$/.exec(key) ?? [];
  const has = (NUMBERS[vendor + plain] ?? NUMBERS[plain])?.(screen);
  if (has === undefined) return PERHAPS;
  if (value === undefined) return certaintyOf(has !== 0);
  const asked = readNumber(value);
  if (asked === undefined) return PERHAPS;
  return certaintyOf(end === "min" ? has >= asked : end === "max" ? has <= asked : has === asked);
}

function readNumber(text: string): number | undefined {
  const [, over, under] = /^([\d.]+)\s*\/\s*([\d.]+)$/.exec(text.trim()) ?? [];
  if (over !== undefined) return Number(over) / Number(under);
  const [, dots, unit] = /^([\d.]+)(dppx|x|dpi|dpcm)$/.exec(text.trim()) ?? [];
  if (dots !== undefined) return Number(dots) / (unit === "dpi" ? 96 : unit === "dpcm" ? 37.8 : 1);
  return measure(text, { fontSize: 16, rootFontSize: 16, percentOf: 0 });
}

function compare(one: number, sign: string | undefined, other: number): boolean {
  if (sign === "<") return one < other;
  if (sign === "<=") return one <= other;
  if (sign === ">") return one > other;
  return sign === ">=" ? one >= other : one === other;
}
