import { type Measures, measure } from "./measure.js";
import { readFunction, splitCommas, splitSpaces } from "./splitCss.js";

export interface ClippedBox extends Omit<Measures, "percentOf"> {
  /** In CSS pixels, as far as it is known. */
  readonly width: number;
  readonly height: number;
}

/** No letter can be read through a narrower gap. */
const MIN_VISIBLE_PX = 2;

/** Whether `clip-path` leaves nothing of a box visible; undefined where it is not understood, as all shapes but insets are. */
export function isClippedAway(value: string, box: ClippedBox): boolean | undefined {
  if (value === "none" || /^(border|padding|content|margin|fill|stroke|view)-box$/.test(value)) return false;
  const shape = readFunction(splitSpaces(value).find((part) => part.includes("(")) ?? "");
  if (shape?.name !== "inset") return undefined;
  const [first = "", second = first, third = first, fourth = second] = splitSpaces(
    shape.inside.replace(/\bround\b.*$/, ""),
  );
  const [top, bottom] = [first, third].map((text) => measure(text, { ...box, percentOf: box.height }));
  const [right, left] = [second, fourth].map((text) => measure(text, { ...box, percentOf: box.width }));
  if (top === undefined || right === undefined || bottom === undefined || left === undefined)
    return undefined;
  return box.width - left - right < MIN_VISIBLE_PX || box.height - top - bottom < MIN_VISIBLE_PX;
}

/** Whether `clip` leaves nothing of a positioned box visible; its edges are measured from the upper left corner. */
export function isCutAway(value: string, box: ClippedBox): boolean | undefined {
  if (value === "auto") return false;
  const shape = readFunction(value);
  if (shape?.name !== "rect") return undefined;
  const parts = shape.inside.includes(",") ? splitCommas(shape.inside) : splitSpaces(shape.inside);
  const edges = parts.map((part) => (part === "auto" ? null : measure(part, { ...box, percentOf: 0 })));
  if (edges.length !== 4 || edges.some((edge) => edge === undefined)) return undefined;
  const [top, right, bottom, left] = edges;
  const width = Math.min(right ?? box.width, box.width) - Math.max(left ?? 0, 0);
  const height = Math.min(bottom ?? box.height, box.height) - Math.max(top ?? 0, 0);
  return width < MIN_VISIBLE_PX || height < MIN_VISIBLE_PX;
}
