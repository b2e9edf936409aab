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

/** A 2×2 matrix by columns, and a translation. */
interface State {
  matrix: readonly [number, number, number, number];
  x: number;
  y: number;
}

/**
 * The individual properties apply first (CSS Transforms 2, section 5). Undefined where a part is not understood: what turns
 * text out of the plane may show its back or its edge.
 */
export function readTransform(source: TransformSource, box: Box): Transform | undefined {
  const state: State = { matrix: [1, 0, 0, 1], x: 0, y: 0 };
  const individual: [string, string][] = [];
  if (source.translate !== "none") individual.push(["translate3d", splitSpaces(source.translate).join(",")]);
  if (source.rotate !== "none")
    individual.push([/^[xy]\b|\s/.test(source.rotate) ? "rotate3d" : "rotate", source.rotate]);
  if (source.scale !== "none") individual.push(["scale3d", splitSpaces(source.scale).join(",")]);
  const functions = source.transform === "none" ? [] : listFunctions(source.transform);
  if (functions === undefined) return undefined;
  for (const [name, inside] of [...individual, ...functions.map((each) => [each.name, each.inside] as const)])
    if (!step(state, name, splitCommas(inside), box)) return undefined;
  return { x: state.x, y: state.y, scale: smallestScale(state.matrix) };
}

/** Applies one function; returns whether it was understood. */
function step(state: State, name: string, parts: readonly string[], box: Box): boolean {
  const along = (index: number, percentOf: number) => measure(parts[index] ?? "0", { ...box, percentOf });
  const number = (index: number, otherwise: number) =>
    (parts[index] ?? "") === "" ? otherwise : measure(parts[index] ?? "", { ...box, percentOf: 1 });
  const move = (x: number | undefined, y: number | undefined) => {
    if (x === undefined || y === undefined) return false;
    const [a, b, c, d] = state.matrix;
    state.x += a * x + c * y;
    state.y += b * x + d * y;
    return true;
  };
  const turn = (a?: number, b?: number, c?: number, d?: number) => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
    const [e, f, g, h] = state.matrix;
    state.matrix = [e * a + g * b, f * a + h * b, e * c + g * d, f * c + h * d];
    return true;
  };
  const radians = ((number(0, 0) ?? Number.NaN) * Math.PI) / 180;
  switch (name) {
    case "translate":
    case "translate3d":
      return move(along(0, box.width), along(1, box.height));
    case "translatex":
      return move(along(0, box.width), 0);
    case "translatey":
      return move(0, along(0, box.height));
    // Without perspective, which real pages set for cards that turn, the depth of text changes nothing.
    case "translatez":
    case "scalez":
    case "perspective":
      return Math.abs(along(0, 0) ?? 0) < 1_000;
    case "scale":
    case "scale3d":
      return turn(number(0, 1), 0, 0, number(1, number(0, 1) ?? Number.NaN));
    case "scalex":
      return turn(number(0, 1), 0, 0, 1);
    case "scaley":
      return turn(1, 0, 0, number(0, 1));
    case "rotate":
    case "rotatez":
      return (
        !Number.isNaN(radians) &&
        turn(Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians))
      );
    // Text that turns out of the plane may show its edge or its back.
    case "rotatex":
    case "rotatey":
      return radians === 0;
    case "matrix":
      return move(number(4, 0), number(5, 0)) && turn(number(0, 1), number(1, 0), number(2, 0), number(3, 1));
    default:
      return false;
  }
}

/** The smaller singular value. */
function smallestScale([a, b, c, d]: State["matrix"]): number {
  const sum = a * a + b * b + c * c + d * d;
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * (a * d - b * c) ** 2));
  return Math.sqrt(Math.max(0, (sum - root) / 2));
}
