import type { HiddenKind } from "../styles/appearance.js";
import { type Colour, contrastOf, layOver, WHITE } from "../styles/parseColour.js";
import { contains, type Shape } from "./shape.js";

/** An area that a page paints, in the order of painting. */
export interface Area {
  /** The position of its operation in the page's list. */
  readonly order: number;
  readonly shape: Shape;
  /** Null where it is not known: a picture, a pattern, a blend. */
  readonly colour: Colour | null;
  readonly isPicture: boolean;
  /** What must contain a point of the area for it to be painted there. */
  readonly clips: readonly Shape[];
}

/** Text as it was painted; the point is the middle of a character. */
export interface PaintedText {
  readonly order: number;
  readonly x: number;
  readonly y: number;
  readonly colour: Colour | null;
}

/** What is below this contrast, people do not see; the same as for HTML. */
const MIN_CONTRAST = 1.2;
const MIN_COVER = 0.95;

export interface Sight {
  readonly kind: HiddenKind | null;
  /** Why it is uncertain whether the text is seen. */
  readonly doubt: string | null;
}

/** Whether the areas of a page hide a character: by their colour below it, or by lying over it. */
export function readSight(text: PaintedText, areas: readonly Area[]): Sight {
  const here = areas.filter(
    ({ shape, clips }) =>
      contains(shape, text.x, text.y) && clips.every((clip) => contains(clip, text.x, text.y)),
  );
  const above = here.filter(({ order }) => order > text.order);
  if (above.some(({ colour }) => colour !== null && colour.alpha >= MIN_COVER))
    return { kind: "covered", doubt: null };
  if (above.some(({ isPicture }) => isPicture)) return { kind: null, doubt: "picture" };
  if (text.colour === null) return { kind: null, doubt: "pattern" };
  const below = here.filter(({ order }) => order < text.order);
  // A page is white before anything is painted on it.
  let ground = WHITE;
  let isKnown = true;
  for (const { colour } of below) {
    if (colour !== null) ground = layOver(colour, ground);
    isKnown = colour === null ? false : isKnown || colour.alpha >= MIN_COVER;
  }
  if (contrastOf(layOver(text.colour, ground), ground) >= MIN_CONTRAST) return { kind: null, doubt: null };
  return isKnown ? { kind: "same_colour", doubt: null } : { kind: null, doubt: "picture" };
}
