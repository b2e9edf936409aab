import { type Measures, measure } from "./measure.js";
import { listFunctions, splitCommas, splitSpaces } from "./splitCss.js";

/** How a transformation moves and scales a box. */
export interface Transform {
  /** In CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** In the direction that shrinks most. */
  readonly scale: number;
}

export interface TransformSource {
  readonly transform: string;
  readonly translate: string;
  readonly rotate: string;
  readonly scale: string;
}

interface Box extends Omit<Measures, "percentOf"> {
  readonly width: number;
  readonly height: number;
}

/** A translation that a rotation turns by more than this may go anywhere. */
const MAX_TURNED_PX = 100;

/**
 * The individual properties apply first (CSS Transforms 2, section 5). Undefined where a part is not understood: what turns
 * text out of the plane may show its back or its edge, and what turns a long way may move it off.
 */
export function readTransform(source: TransformSource, box: Box): Transform | undefined {
  const functions = source.transform === "none" ? [] : listFunctions(source.transform);
  if (functions === undefined) return undefined;
  for (const name of ["scale", "rotate", "translate"] as const)
    if (source[name] !== "none") functions.unshift({ name, inside: splitSpaces(source[name]).join(",") });
  let [x, y, across, down] = [0, 0, 1, 1];
  let isTurned = false;
  for (const { name, inside } of functions) {
    const parts = splitCommas(inside);
    const along = (index: number, percentOf: number) =>
      measure(parts[index] || "0", { ...box, percentOf }) ?? Number.NaN;
    const factor = (index: number) => measure(parts[index] ?? "", { ...box, percentOf: 1 }) ?? Number.NaN;
    const [, kind = "", axis = ""] = /^(translate|scale|rotate)(x|y|z|3d)?$/.exec(name) ?? [];
    const isFlat = axis === "" || axis === "3d";
    if (kind === "translate" && axis !== "z") {
      if (axis !== "y") x += across * along(0, box.width);
      if (axis !== "x") y += down * along(isFlat ? 1 : 0, box.height);
    } else if (kind === "scale" && axis !== "z") {
      if (axis !== "y") across *= factor(0);
      if (axis !== "x") down *= factor(isFlat && parts.length > 1 ? 1 : 0);
    } else if (kind === "rotate" && parts.length === 1 && (axis === "" || axis === "z")) isTurned = true;
    // Without perspective, which real pages set for cards that turn, the depth of text changes nothing.
    else if (!/^(?:translatez|scalez|perspective)$/.test(name) || Math.abs(along(0, 0)) >= 1_000)
      return undefined;
  }
  if ([x, y, across, down].some(Number.isNaN)) return undefined;
  if (isTurned && Math.abs(x) + Math.abs(y) > MAX_TURNED_PX) return undefined;
  return { x, y, scale: Math.min(Math.abs(across), Math.abs(down)) };
}
