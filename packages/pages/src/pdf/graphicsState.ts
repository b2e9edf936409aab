import { BLACK, type Colour } from "../styles/parseColour.js";
import { OPS } from "./operations.js";
import { IDENTITY, type Matrix, type Shape } from "./shape.js";

export interface PdfFont {
  /** The width of a glyph's unit, as a share of the font size. */
  readonly unit: number;
  /** The height of its letters, as a share of the font size. */
  readonly height: number;
  readonly isVertical: boolean;
}

/** The graphics state (ISO 32000-1, section 8.4.1), as far as it decides what is seen. */
export interface State {
  readonly matrix: Matrix;
  /** Null for a pattern. */
  readonly fill: Colour | null;
  readonly stroke: Colour | null;
  readonly lineWidth: number;
  readonly fillAlpha: number;
  readonly strokeAlpha: number;
  /** Of the groups around. */
  readonly groupAlpha: number;
  readonly isBlended: boolean;
  /** A soft mask applies, which may hide everything. */
  readonly isMasked: boolean;
  /** This is the drawing of a mask, which is not shown itself. */
  readonly isMask: boolean;
  readonly clips: readonly Shape[];
  readonly font: PdfFont | null;
  readonly fontSize: number;
  readonly mode: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly leading: number;
  readonly rise: number;
  readonly scale: number;
  readonly textMatrix: Matrix;
  readonly lineX: number;
  readonly lineY: number;
  readonly x: number;
  readonly y: number;
}

const PLAIN_FONT: PdfFont = { unit: 0.001, height: 1, isVertical: false };

export const START: State = {
  matrix: IDENTITY,
  fill: BLACK,
  stroke: BLACK,
  lineWidth: 1,
  fillAlpha: 1,
  strokeAlpha: 1,
  groupAlpha: 1,
  isBlended: false,
  isMasked: false,
  isMask: false,
  clips: [],
  font: PLAIN_FONT,
  fontSize: 0,
  mode: 0,
  charSpacing: 0,
  wordSpacing: 0,
  leading: 0,
  rise: 0,
  scale: 1,
  textMatrix: IDENTITY,
  lineX: 0,
  lineY: 0,
  x: 0,
  y: 0,
};

export const FILLS: ReadonlySet<unknown> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
export const STROKES: ReadonlySet<unknown> = new Set([OPS.stroke, OPS.closeStroke]);
export const EVEN_ODD: ReadonlySet<unknown> = new Set([OPS.eoFill, OPS.eoFillStroke, OPS.closeEOFillStroke]);
export const PICTURES: ReadonlySet<unknown> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintSolidColorImageMask,
]);
/** Operations that paint, or that begin a part of their own. */
export const PAINTING: ReadonlySet<unknown> = new Set([
  ...PICTURES,
  OPS.showText,
  OPS.shadingFill,
  OPS.beginGroup,
  OPS.paintFormXObjectBegin,
]);
