import type { PdfFont } from "./graphicsState.js";
import { isMatrix } from "./shape.js";

/** What the place of a glyph depends on; null for a font that pdf.js could not read. */
export function describeFont(font: unknown): PdfFont | null {
  if (typeof font !== "object" || font === null || ("error" in font && font.error)) return null;
  const isVertical = "vertical" in font && font.vertical === true;
  const matrix =
    "fontMatrix" in font && isMatrix(font.fontMatrix) ? font.fontMatrix : [0.001, 0, 0, 0.001, 0, 0];
  const unit = matrix[0] ?? 0.001;
  const isDrawn = "isType3Font" in font && font.isType3Font === true;
  if (!isDrawn) return { unit, height: 1, isVertical };
  // A Type 3 font has units of its own, and its letters any height in them (ISO 32000-1, section 9.6.5).
  const box = "bbox" in font && Array.isArray(font.bbox) ? font.bbox.map(Number) : [];
  const height = Math.abs(((box[3] ?? 0) - (box[1] ?? 0)) * (matrix[3] ?? 0));
  return { unit, height: height > 0 ? height : 1, isVertical };
}
