import type { DomElement } from "./pageDocument.js";
import { BLACK, type Colour, contrastOf, parseColour, WHITE } from "./parseColour.js";
import type { Declarations } from "./readStyles.js";
import type { HiddenText } from "./types.js";

export type HiddenKind = HiddenText["kind"];

/** What decides whether text directly inside an element is seen, as its ancestors leave it. */
export interface Look {
  /** Hidden with everything inside, whatever that says about itself. */
  readonly buriedBy: HiddenKind | null;
  readonly isVisible: boolean;
  /** In CSS pixels. */
  readonly fontSize: number;
  readonly colour: Colour;
  /** Undefined over a picture or a gradient. */
  readonly background: Colour | undefined;
}

export const FIRST_LOOK: Look = {
  buriedBy: null,
  isVisible: true,
  fontSize: 16,
  colour: BLACK,
  background: WHITE,
};

/** Further out of the window than any part that a page lets hang over its edge. */
const FAR_OUT = -300;
const SMALLEST_FONT = 2;
const FAINTEST_OPACITY = 0.05;
/** Grey text on white has 4 or more, disabled text 1.5; below this nobody reads. */
const LOWEST_CONTRAST = 1.2;

/** The look inside an element, from that around it and the element's own attributes and declarations. */
export function lookInside(around: Look, element: DomElement, style: Declarations): Look {
  const fontSize = readFontSize(style, around.fontSize);
  const visibility = style.get("visibility");
  return {
    buriedBy: around.buriedBy ?? findBurial(element, style),
    isVisible: visibility === undefined ? around.isVisible : !/^(hidden|collapse)$/.test(visibility),
    fontSize,
    colour: readColour(element, style) ?? around.colour,
    background: readBackground(element, style, around.background),
  };
}

/** Why text directly inside an element of this look is not seen; null when it is. */
export function findReason({ buriedBy, isVisible, fontSize, colour, background }: Look): HiddenKind | null {
  if (buriedBy !== null) return buriedBy;
  if (!isVisible) return "display_none";
  if (fontSize < SMALLEST_FONT) return "zero_size";
  if (background === undefined) return null;
  const isSeen = colour.alpha > FAINTEST_OPACITY && contrastOf(colour, background) >= LOWEST_CONTRAST;
  return isSeen ? null : "same_colour";
}

function findBurial(element: DomElement, style: Declarations): HiddenKind | null {
  const is = (property: string, pattern: RegExp) => pattern.test(style.get(property) ?? "");
  const isFaint = (value: string | undefined) =>
    value !== undefined &&
    Number.parseFloat(value) / (value.trim().endsWith("%") ? 100 : 1) <= FAINTEST_OPACITY;
  if (
    is("display", /^none$/) ||
    (element.hasAttribute("hidden") && !style.has("display")) ||
    (element.localName === "dialog" && !element.hasAttribute("open")) ||
    is("content-visibility", /^hidden$/) ||
    isFaint(style.get("opacity")) ||
    isFaint(/opacity\(\s*([\d.]+%?)\s*\)/.exec(style.get("filter") ?? "")?.[1])
  )
    return "display_none";
  if (isFarOut(style)) return "off_screen";
  if (isClosed(style)) return "zero_size";
  return element.getAttribute("aria-hidden")?.trim().toLowerCase() === "true" ? "aria_hidden" : null;
}

function isFarOut(style: Declarations): boolean {
  const isPlaced = /^(absolute|fixed|relative|sticky)$/.test(style.get("position") ?? "");
  const offsets = ["text-indent", "margin-left", "margin-top"];
  if (isPlaced) offsets.push("left", "right", "top", "bottom");
  if (offsets.some((property) => lengthOf(style.get(property)) <= FAR_OUT)) return true;
  const moved = /translate(?:3d|x|y)?\(([^)]*)\)/.exec(style.get("transform") ?? "")?.[1] ?? "";
  // Of its own size: half is how a box is centred, all of it moves the box away.
  return moved
    .split(/[\s,]+/)
    .some((part) => (part.endsWith("%") ? Number.parseFloat(part) <= -100 : lengthOf(part) <= FAR_OUT));
}

function isClosed(style: Declarations): boolean {
  const cuts = ["overflow", "overflow-x", "overflow-y"].some((property) =>
    /hidden|clip/.test(style.get(property) ?? ""),
  );
  const isTiny = (property: string) => Math.abs(lengthOf(style.get(property), Number.NaN)) <= 1;
  if (cuts && ["width", "height", "max-width", "max-height"].some(isTiny)) return true;
  if (/scale(3d|x|y)?\(\s*0(\.0\d*)?\s*[,)]/.test(style.get("transform") ?? "")) return true;
  const clip = /^rect\(([^)]*)\)/.exec(style.get("clip") ?? "")?.[1];
  if (clip?.split(/[\s,]+/).every((edge) => Math.abs(lengthOf(edge, Number.NaN)) <= 1)) return true;
  const path = style.get("clip-path") ?? "";
  const inset = /^inset\(\s*([\d.]+)%/.exec(path)?.[1];
  return (inset !== undefined && Number(inset) >= 50) || /^circle\(\s*0|^polygon\(\s*(0\D*)+\)/.test(path);
}

function readFontSize(style: Declarations, around: number): number {
  const shorthand = /(?:^|\s)([\d.]+(?:px|pt|r?em|%)?)(?:\s*\/|\s+[^\s\d])/.exec(
    style.get("font") ?? "",
  )?.[1];
  const size = style.get("font-size") ?? shorthand;
  const [, number, unit = ""] = /^([\d.]+)(px|pt|r?em|%)?$/.exec(size ?? "") ?? [];
  if (number === undefined) return /^[a-z-]+$/.test(size ?? "") ? 16 : around;
  const value = Number(number);
  if (unit === "em") return value * around;
  return unit === "%" ? (value / 100) * around : lengthOf(size);
}

function readColour(element: DomElement, style: Declarations): Colour | undefined {
  const isCutOut = /text/.test(style.get("background-clip") ?? style.get("-webkit-background-clip") ?? "");
  // Letters that let a background through are seen by it, whatever their own colour.
  if (isCutOut) return BLACK;
  const attribute =
    element.localName === "font" ? "color" : element.localName === "body" ? "text" : undefined;
  const given =
    style.get("-webkit-text-fill-color") ??
    style.get("color") ??
    (attribute === undefined ? null : element.getAttribute(attribute));
  return given ? parseColour(given) : undefined;
}

function readBackground(
  element: DomElement,
  style: Declarations,
  around: Colour | undefined,
): Colour | undefined {
  const given = [style.get("background"), style.get("background-image")].join(" ");
  if (/url\(|gradient\(/.test(given)) return undefined;
  const isCutOut = /text/.test(style.get("background-clip") ?? style.get("-webkit-background-clip") ?? "");
  if (isCutOut) return around;
  const text = style.get("background-color") ?? style.get("background") ?? element.getAttribute("bgcolor");
  if (!text || /^(none|inherit|initial|unset)$/.test(text)) return around;
  const colour = (text.match(/(?:rgb|hsl)a?\([^)]*\)|[#\w-]+/g) ?? []).flatMap(
    (part) => parseColour(part) ?? [],
  )[0];
  if (colour === undefined) return undefined;
  return colour.alpha < 0.5 ? around : colour;
}

/** CSS pixels; relative units as they come out in an ordinary window, `otherwise` for what is no length. */
function lengthOf(text: string | undefined, otherwise = 0): number {
  const [, number, unit = "px"] =
    /^\s*([+-]?[\d.]+)(px|pt|r?em|ch|ex|%|v[wh]|cm|mm|in)?\s*$/.exec(text ?? "") ?? [];
  if (number === undefined) return otherwise;
  const pixels: Readonly<Record<string, number>> = {
    px: 1,
    pt: 1.33,
    em: 16,
    rem: 16,
    ch: 8,
    ex: 8,
    "%": 10,
    vw: 12.8,
    vh: 8,
    cm: 37.8,
    mm: 3.78,
    in: 96,
  };
  return Number(number) * (pixels[unit] ?? 1);
}
