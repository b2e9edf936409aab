import { isClippedAway, isCutAway } from "./clipShape.js";
import { WINDOW } from "./measure.js";
import { readTransform } from "./readTransform.js";
import type { StyleReader } from "./styleReader.js";

/** Where text inside an element is and how much of it is visible, according to the style sheets; lengths in CSS pixels. */
export interface BoxPlacement {
  /** How far it was moved from its place in the page's flow. */
  readonly x: number;
  readonly y: number;
  /** The room it has; the height is mostly not known. */
  readonly width: number;
  readonly height: number | null;
  /** The size of the nearest clipping box, and where in it the text starts. */
  readonly clip: {
    readonly width: number;
    readonly height: number;
    readonly x: number;
    readonly y: number;
  } | null;
  /** Whether a box around it clips its content. */
  readonly isCut: boolean;
  readonly isFixed: boolean;
  readonly scale: number;
  readonly hasClosedRows: boolean;
  /** Whether one of its rows or columns has no size. */
  readonly hasClosedTrack: boolean;
  /** Whether its children stand beside each other, each behind the one before it. */
  readonly isRow: boolean;
  /** Whether the page cannot be scrolled sideways (x), or down (y). */
  readonly isPageCut: { readonly x: boolean; readonly y: boolean };
  /** Whether it is positioned relative to a positioned box, whose own place is not known. */
  readonly isAnchored: boolean;
}

export const INITIAL_BOX: BoxPlacement = {
  x: 0,
  y: 0,
  width: WINDOW.width,
  height: WINDOW.height,
  clip: null,
  isCut: false,
  isFixed: false,
  scale: 1,
  hasClosedRows: false,
  hasClosedTrack: false,
  isRow: false,
  isPageCut: { x: false, y: false },
  isAnchored: false,
};

/** Further outside the window than any part that pages let overlap its edge. */
const FAR_OUT_PX = 300;
/** The default margin of a page. */
export const WINDOW_MARGIN_PX = 8;
/** A smaller box shows no letter. */
const MIN_BOX_PX = 3;
/** Assumed for percentages of boxes whose size is not known, such as the distance of a tooltip from its box. */
const SMALL_BOX_PX = 250;

export interface PlacedBox {
  readonly box: BoxPlacement;
  /** Why nothing inside can be seen, whatever the styles of inner elements are. */
  readonly hiddenBy: "off_screen" | "zero_size" | "display_none" | null;
}

interface BoxSizes {
  readonly fontSize: number;
  readonly rootFontSize: number;
}

/** Places the box of an element inside the box around it. */
export function placeBox(
  around: BoxPlacement,
  read: StyleReader,
  sizes: BoxSizes,
  isPageItself: boolean,
): PlacedBox {
  const padding = (side: string) => Math.max(0, read.length(`padding-${side}`, around.width) ?? 0);
  const [left, top] = [padding("left"), padding("top")];
  const width = sizeOf("width", around.width, read);
  const height = sizeOf("height", around.height ?? WINDOW.height, read);
  const move = findMove(around, read, width);
  const transform = findTransform(read, sizes);
  const isFixed = read.word("position", "static") === "fixed";
  const x = move.x + transform.x;
  const y = move.y + transform.y;
  const isCutting = !isPageItself && cuts(read);
  const clip =
    isFixed || around.clip === null ? null : { ...around.clip, x: around.clip.x + x, y: around.clip.y + y };
  const moved: BoxPlacement = {
    x: (isFixed ? 0 : around.x) + x,
    y: (isFixed ? 0 : around.y) + y,
    width: width ?? around.width,
    height,
    clip,
    isCut: isCutting || (around.isCut && !isFixed),
    isFixed: isFixed || around.isFixed,
    scale: around.scale * transform.scale * readZoom(read),
    hasClosedRows: /^0(px|fr|%)?(\s+0(px|fr|%)?)*$/.test(read.word("grid-template-rows", "none")),
    hasClosedTrack: ["rows", "columns"].some((tracks) =>
      /(^|\s)0(px|fr|%)?(\s|$)/.test(read.word(`grid-template-${tracks}`, "none")),
    ),
    isRow:
      /^(?:inline-)?flex$/.test(read.word("display", "")) &&
      !/column|reverse/.test(`${read.word("flex-direction", "")} ${read.word("flex-flow", "")}`),
    isPageCut: isPageItself ? readPageCut(around.isPageCut, read) : around.isPageCut,
    isAnchored: around.isAnchored || (!isPageItself && read.word("position", "static") !== "static"),
  };
  recordUnclearSizes(read, isCutting, around);
  const hiddenBy = findHidingBox(moved, read, sizes, { isCutting, around });
  const isBorderBox = read.word("box-sizing", "content-box") === "border-box";
  const outer = (size: number | null, padded: number) =>
    size === null ? Number.POSITIVE_INFINITY : isBorderBox ? Math.max(size, padded) : size + padded;
  const ownClip = {
    width: width === null ? around.width : outer(width, left + padding("right")),
    height: outer(height, top + padding("bottom")),
    x: 0,
    y: 0,
  };
  const clipped = isCutting ? ownClip : moved.clip;
  return {
    hiddenBy,
    box: {
      ...moved,
      x: moved.x + left,
      y: moved.y + top,
      clip: clipped && { ...clipped, x: clipped.x + left, y: clipped.y + top },
    },
  };
}

function findTransform(read: StyleReader, sizes: BoxSizes) {
  const word = (property: string) => read.word(property, "none");
  return read.understood(
    "transform",
    readTransform(
      {
        transform: word("transform"),
        translate: word("translate"),
        rotate: word("rotate"),
        scale: word("scale"),
      },
      // Percentages refer to the box's own size: half of it centres a box, all of it moves the box away.
      { ...sizes, width: FAR_OUT_PX, height: FAR_OUT_PX },
    ),
    { x: 0, y: 0, scale: 1 },
  );
}

function readZoom(read: StyleReader): number {
  const zoom = read.word("zoom", "1");
  const factor = Number.parseFloat(zoom) / (zoom.endsWith("%") ? 100 : 1);
  return Number.isNaN(factor) ? 1 : factor;
}

/** Why text that starts here, moved by an indent, is not seen; null where it is. */
export function findHidingPlace(
  { x, y, clip, isFixed, isPageCut }: BoxPlacement,
  indent: number,
): "off_screen" | "zero_size" | null {
  const start = x + indent;
  if (start <= -FAR_OUT_PX || y <= -FAR_OUT_PX || start >= WINDOW.width + FAR_OUT_PX) return "off_screen";
  if (isFixed && (start >= WINDOW.width || y >= WINDOW.height)) return "off_screen";
  if ((isPageCut.x && start >= WINDOW.width) || (isPageCut.y && y >= WINDOW.height)) return "off_screen";
  if (clip === null) return null;
  if (clip.width <= MIN_BOX_PX || clip.height <= MIN_BOX_PX) return "zero_size";
  const inside = clip.x + indent;
  const isBeside = inside >= clip.width - 1 || inside <= -clip.width;
  return isBeside || clip.y >= clip.height - 1 || clip.y <= -clip.height ? "off_screen" : null;
}

function readPageCut(around: BoxPlacement["isPageCut"], read: StyleReader): BoxPlacement["isPageCut"] {
  const isCut = (axis: string) => /hidden|clip/.test(read.word(`overflow-${axis}`, ""));
  const isWindowHigh = /^100(%|[dsl]?vh)$/.test(read.word("height", read.word("max-height", "")));
  return { x: around.x || isCut("x"), y: around.y || (isCut("y") && isWindowHigh) };
}

/** Records sizes that depend on other boxes and may leave nothing visible, and transform origins that are far away. */
function recordUnclearSizes(read: StyleReader, isCutting: boolean, around: BoxPlacement): void {
  const recordUnclear = (property: string) => read.understood<null>(property, undefined, null);
  if (isCutting && /^0\s+[\d.]+\s+0(px|%)?$/.test(read.word("flex", ""))) recordUnclear("flex");
  if (isCutting && around.hasClosedTrack && !around.hasClosedRows) recordUnclear("grid-template-columns");
  const [, across = "1", down = "1"] =
    /([\d.]+)\s*(?:\/\s*([\d.]+))?/.exec(read.word("aspect-ratio", "")) ?? [];
  const ratio = Number(across) / Number(down);
  if (isCutting && (ratio > 30 || ratio < 1 / 30)) recordUnclear("aspect-ratio");
  const isMoved = ["transform", "rotate", "scale"].some((name) => read.word(name, "none") !== "none");
  const origin = read.word("transform-origin", "");
  if (isMoved && (origin.match(/-?[\d.]+/g) ?? []).some((each) => Number(each) < -100 || Number(each) > 200))
    recordUnclear("transform-origin");
}

function findMove(around: BoxPlacement, read: StyleReader, width: number | null): { x: number; y: number } {
  const position = read.word("position", "static");
  const float = read.word("float", "none");
  const isAtRight = /right|end/.test(float);
  let y = read.length("margin-top", around.width) ?? 0;
  // A box that floats to the right stands at the right edge, whatever its left margin is.
  const flow = isAtRight
    ? Math.max(0, -(read.length("margin-right", around.width) ?? 0))
    : (read.length("margin-left", around.width) ?? 0);
  if (!/^(absolute|fixed|relative)$/.test(position)) return { x: isAtRight ? flow : pull(flow), y };
  const isFixed = position === "fixed";
  const height = isFixed ? WINDOW.height : (around.height ?? WINDOW.height);
  const left = read.length("left", around.width);
  const right = read.length("right", around.width);
  const top = read.length("top", height);
  const bottom = read.length("bottom", isFixed ? height : SMALL_BOX_PX);
  const isMoved = position === "relative";
  const rest = isMoved ? 0 : Math.max(0, around.width - (width ?? SMALL_BOX_PX));
  const aside = left ?? (right === null ? 0 : rest - right);
  y += top ?? (bottom === null ? 0 : readBottom(bottom, isFixed));
  return { x: isMoved ? pull(flow + aside) : flow + aside, y };

  /**
   * Column layouts pull a floating column, or one of a row, over earlier ones; whether this is one depends on widths that are not
   * known.
   */
  function pull(x: number): number {
    const isColumn = /left|start/.test(float) || around.isRow;
    return isColumn && x <= -FAR_OUT_PX && x >= -around.width
      ? read.understood<number>("margin-left", undefined, 0)
      : x;
  }
}

/** How far down a box starts that is placed by its lower edge, as far as that is known. */
function readBottom(bottom: number, isFixed: boolean): number {
  if (isFixed) return WINDOW.height - SMALL_BOX_PX / 2 - bottom;
  return bottom <= -FAR_OUT_PX ? bottom : Math.min(0, -bottom);
}

function sizeOf(side: "width" | "height", percentOf: number, read: StyleReader): number | null {
  const own = read.length(side, percentOf);
  const max = read.length(`max-${side}`, percentOf);
  const min = read.length(`min-${side}`, percentOf) ?? 0;
  if (own === null && max === null) return null;
  return Math.max(min, Math.min(own ?? Number.POSITIVE_INFINITY, max ?? Number.POSITIVE_INFINITY));
}

function cuts(read: StyleReader): boolean {
  return (
    /hidden|clip|auto|scroll|overlay/.test(`${read.word("overflow-x", "")} ${read.word("overflow-y", "")}`) ||
    /paint|strict|content/.test(read.word("contain", "none"))
  );
}

function findHidingBox(
  moved: BoxPlacement,
  read: StyleReader,
  sizes: BoxSizes,
  { isCutting, around }: { isCutting: boolean; around: BoxPlacement },
): PlacedBox["hiddenBy"] {
  // A clipping box outside of the box that clips it.
  if (isCutting && findHidingPlace(moved, 0) !== null && around.clip !== null) return "off_screen";
  const isSizeless =
    /strict/.test(read.word("contain", "none")) ||
    (isCutting && /\bsize\b/.test(read.word("contain", "none")));
  if (moved.height === null && (isSizeless || (isCutting && around.hasClosedRows))) return "zero_size";
  const box = { ...sizes, width: moved.width, height: moved.height ?? WINDOW.height };
  const isPlaced = /^(absolute|fixed)$/.test(read.word("position", "static"));
  const isCut =
    isPlaced || read.word("clip", "auto") !== "auto" ? isCutAway(read.word("clip", "auto"), box) : false;
  const isClipped = isClippedAway(read.word("clip-path", "none"), box);
  if (read.understood("clip", isCut, false) || read.understood("clip-path", isClipped, false))
    return "zero_size";
  if (!/^(none|auto)$/.test(read.word("offset-path", "none")))
    read.understood<undefined | null>("offset-path", undefined, null);
  return null;
}
