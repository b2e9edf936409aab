import type { HiddenText } from "../types.js";
import type { ComputedStyle } from "./computeStyle.js";
import { NO_CUSTOM } from "./customProperties.js";
import { findHidingPaint, findNeeded, INITIAL_PAINT, type TextPaint } from "./paintText.js";
import { type BoxPlacement, findHidingPlace, INITIAL_BOX } from "./placeBox.js";

export type HiddenKind = HiddenText["kind"];

/** Everything that decides whether text directly inside an element is seen, including what its ancestors contribute. */
export interface Appearance {
  /** Why everything inside is hidden, whatever the styles of inner elements are. */
  readonly hiddenBy: HiddenKind | null;
  readonly isVisible: boolean;
  /** In CSS pixels. */
  readonly fontSize: number;
  /** In CSS pixels, or as a factor of the font size. */
  readonly lineHeight: { readonly value: number; readonly isFactor: boolean };
  /** Added between two letters, in CSS pixels. */
  readonly letterSpacing: number;
  /** Of the first line, in CSS pixels. */
  readonly indent: number;
  readonly box: BoxPlacement;
  /** The amount of its text counts as well, so that siblings of the same style may appear otherwise. */
  readonly dependsOnText: boolean;
  readonly paint: TextPaint;
  /** A background was painted that may cover elements with a negative `z-index`. */
  readonly hidesBehind: boolean;
  /** The first property that was not understood and concerns everything inside, or another name for what was not. */
  readonly unclear: string | null;
  readonly style: ComputedStyle;
  /** The appearance if the uncertain rules apply as well; null where there are none. */
  readonly perhaps: Appearance | null;
}

export const INITIAL_APPEARANCE: Appearance = {
  hiddenBy: null,
  isVisible: true,
  fontSize: 16,
  lineHeight: { value: 1.2, isFactor: true },
  letterSpacing: 0,
  indent: 0,
  box: INITIAL_BOX,
  dependsOnText: false,
  paint: INITIAL_PAINT,
  hidesBehind: false,
  unclear: null,
  style: { get: () => undefined, unclear: new Set(), custom: NO_CUSTOM, sets: () => false },
  perhaps: null,
};

/** Smaller letters cannot be read; print is never smaller. */
const MIN_FONT_PX = 3.5;
/** As a factor of the font size: overlapping lines show nothing where boxes are clipped. */
const MIN_LINE_HEIGHT = 0.2;

/** As a factor of the font size: letters this much closer lie over each other. */
const MIN_LETTER_SPACING = -0.4;

/** Why text directly inside an element of this appearance is not seen; null when it is. */
export function findHidingReason({
  hiddenBy,
  isVisible,
  fontSize,
  lineHeight,
  letterSpacing,
  indent,
  box,
  paint,
}: Appearance): HiddenKind | null {
  if (hiddenBy !== null) return hiddenBy;
  if (!isVisible) return "display_none";
  const outside = findHidingPlace(box, indent);
  if (outside !== null) return outside;
  if (fontSize * box.scale < MIN_FONT_PX) return "zero_size";
  if (letterSpacing < MIN_LETTER_SPACING * fontSize) return "zero_size";
  const line = lineHeight.value * (lineHeight.isFactor ? fontSize : 1);
  if (box.isCut && box.height === null && line < MIN_LINE_HEIGHT * fontSize) return "zero_size";
  return findHidingPaint(paint);
}

/** The property, or another name for the cause, for which it is uncertain whether the text is seen; null where it is certain. */
export function findDoubt(appearance: Appearance): string | null {
  const { unclear, paint, perhaps } = appearance;
  const cause = unclear ?? paint.unclearColour ?? paint.unclearGround;
  if (cause !== null) return cause;
  const needed = findNeeded(paint);
  if (needed !== null) return needed;
  return perhaps && findHidingReason(perhaps) !== null ? "condition" : null;
}
