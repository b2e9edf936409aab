import type { HiddenText } from "../types.js";
import type { ComputedStyle } from "./computeStyle.js";
import { NO_CUSTOM } from "./customProperties.js";
import { FIRST_PAINT, findPaintedAway, needsPicture, type PaintLook } from "./paintText.js";
import { type BoxLook, FIRST_BOX, findOutside } from "./placeBox.js";

export type HiddenKind = HiddenText["kind"];

/** What decides whether text directly inside an element is seen, as its ancestors leave it. */
export interface Look {
  /** Hidden with everything inside, whatever that says about itself. */
  readonly buriedBy: HiddenKind | null;
  readonly isVisible: boolean;
  /** In CSS pixels. */
  readonly fontSize: number;
  /** In CSS pixels, or in font sizes. */
  readonly lineHeight: { readonly value: number; readonly isFactor: boolean };
  /** Of the first line, in CSS pixels. */
  readonly indent: number;
  readonly box: BoxLook;
  readonly paint: PaintLook;
  /** A ground was painted that lies over what is put behind it. */
  readonly hidesBehind: boolean;
  /** The first property that was not understood and concerns everything inside; or what else was not. */
  readonly unclear: string | null;
  readonly style: ComputedStyle;
  /** With the rules that perhaps hold; null where there are none. */
  readonly perhaps: Look | null;
}

export const FIRST_LOOK: Look = {
  buriedBy: null,
  isVisible: true,
  fontSize: 16,
  lineHeight: { value: 1.2, isFactor: true },
  indent: 0,
  box: FIRST_BOX,
  paint: FIRST_PAINT,
  hidesBehind: false,
  unclear: null,
  style: { get: () => undefined, unclear: new Set(), custom: NO_CUSTOM, sets: () => false },
  perhaps: null,
};

/** In CSS pixels; print is never smaller. */
const SMALLEST_FONT = 3.5;
/** Of the font size: lines that lie on top of each other show nothing where boxes are clipped. */
const SMALLEST_LINE = 0.2;

/** Why text directly inside an element of this look is not seen; null when it is. */
export function findReason({
  buriedBy,
  isVisible,
  fontSize,
  lineHeight,
  indent,
  box,
  paint,
}: Look): HiddenKind | null {
  if (buriedBy !== null) return buriedBy;
  if (!isVisible) return "display_none";
  const outside = findOutside(box, indent);
  if (outside !== null) return outside;
  if (fontSize * box.scale < SMALLEST_FONT) return "zero_size";
  const line = lineHeight.value * (lineHeight.isFactor ? fontSize : 1);
  if (box.isCut && box.height === null && line < SMALLEST_LINE * fontSize) return "zero_size";
  return findPaintedAway(paint, fontSize * box.scale);
}

/** The property, or what else keeps it open whether text of this look is seen; null for text that is. */
export function findDoubt(look: Look): string | null {
  const { unclear, paint, perhaps } = look;
  const said = unclear ?? paint.unclearColour ?? paint.unclearGround;
  if (said !== null) return said;
  if (needsPicture(paint)) return "picture";
  return perhaps && findReason(perhaps) !== null ? "condition" : null;
}
