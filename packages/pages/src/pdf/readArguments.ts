import type { Colour } from "../styles/parseColour.js";

/** A character in pdf.js's list of operations. */
export interface PdfGlyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly number[] | null;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
export const isPdfGlyph = (value: unknown): value is PdfGlyph =>
  isRecord(value) && typeof value.unicode === "string" && Number.isFinite(value.width);
export const isBox = (value: unknown): value is [number, number, number, number] =>
  (Array.isArray(value) || value instanceof Float32Array) && value.length === 4;
export const numberOf = (value: unknown, otherwise: number) =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

/** pdf.js converts every colour to this form; null for a pattern. */
export function readHex(value: unknown): Colour | null {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(String(value)) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  const channel = (digits: string) => Number.parseInt(digits, 16);
  return { red: channel(red), green: channel(green), blue: channel(blue), alpha: 1 };
}
