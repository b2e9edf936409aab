import { type Measures, measure } from "./measure.js";
import { listFunctions, splitCommas, splitSpaces } from "./splitCss.js";

/** How a transformation moves and scales a box. */
export interface Transform {
  /** In CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** In the direction that shrinks most. */
  readonly scale: number;
  /** Whether its back faces the reader. */
  readonly isTurned: boolean;
}

export interface TransformSource {
  readonly transform: string;
  readonly translate: string;
  readonly rotate: string;
  readonly scale: string;
  /** Of the box around; null for none. */
  readonly perspective: number | null;
}

interface Box extends Omit<Measures, "percentOf"> {
  readonly width: number;
  readonly height: number;
}

/** A 2×2 matrix by columns, a translation and a depth; the third dimension counts only by its effect on these. */
interface State {
  matrix: readonly [number, number, number, number];
  x: number;
  y: number;
  z: number;
  isTurned: boolean;
  perspective: number | null;
}

/** The individual properties apply first (CSS Transforms 2, section 5). Undefined where a part is not understood. */
export function readTransform(source: TransformSource, box: Box): Transform | undefined {
  const state: State = {
    matrix: [1, 0, 0, 1],
    x: 0,
    y: 0,
    z: 0,
    isTurned: false,
    perspective: source.perspective,
  };
  const individual: [string, string][] = [];
  if (source.translate !== "none") individual.push(["translate3d", splitSpaces(source.translate).join(",")]);
  if (source.rotate !== "none") individual.push(readRotate(source.rotate));
  if (source.scale !== "none") individual.push(["scale3d", splitSpaces(source.scale).join(",")]);
  const functions = source.transform === "none" ? [] : listFunctions(source.transform);
  if (functions === undefined) return undefined;
  for (const [name, inside] of [...individual, ...functions.map((each) => [each.name, each.inside] as const)])
    if (!step(state, name, splitCommas(inside), box)) return undefined;
  const depth = state.perspective;
  const shrunk = depth === null || state.z === 0 ? 1 : state.z >= depth ? 0 : depth / (depth - state.z);
  return { x: state.x, y: state.y, scale: smallestScale(state.matrix) * shrunk, isTurned: state.isTurned };
}

function readRotate(value: string): [string, string] {
  const parts = splitSpaces(value);
  const angle = parts.find((part) => /\d(deg|rad|grad|turn)|\(/.test(part)) ?? "0deg";
  const axis = parts.filter((part) => part !== angle);
  if (axis[0] === "x") return ["rotatex", angle];
  if (axis[0] === "y") return ["rotatey", angle];
  return axis.length === 3 ? ["rotate3d", [...axis, angle].join(",")] : ["rotate", angle];
}

/** Operations on the state; each returns whether its numbers were understood. */
function createTools(state: State, parts: readonly string[], box: Box) {
  const along = (index: number, percentOf: number) => measure(parts[index] ?? "0", { ...box, percentOf });
  const number = (index: number, otherwise: number) =>
    parts[index] === undefined || parts[index] === ""
      ? otherwise
      : measure(parts[index], { ...box, percentOf: 1 });
  const move = (x: number | undefined, y: number | undefined, z: number | undefined) => {
    if (x === undefined || y === undefined || z === undefined) return false;
    const [a, b, c, d] = state.matrix;
    state.x += a * x + c * y;
    state.y += b * x + d * y;
    state.z += z;
    return true;
  };
  const turn = (a?: number, b?: number, c?: number, d?: number) => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
    const [e, f, g, h] = state.matrix;
    state.matrix = [e * a + g * b, f * a + h * b, e * c + g * d, f * c + h * d];
    return true;
  };
  const flip = (cosine: number) => {
    if (cosine < 0) state.isTurned = !state.isTurned;
    return Math.abs(cosine);
  };
  return { along, number, move, turn, flip };
}

function step(state: State, name: string, parts: readonly string[], box: Box): boolean {
  const { along, number, move, turn, flip } = createTools(state, parts, box);
  const angle = number(0, 0);
  const radians = ((angle ?? Number.NaN) * Math.PI) / 180;
  switch (name) {
    case "translate":
    case "translate3d":
      return move(along(0, box.width), along(1, box.height), along(2, 0));
    case "translatex":
      return move(along(0, box.width), 0, 0);
    case "translatey":
      return move(0, along(0, box.height), 0);
    case "translatez":
      return move(0, 0, along(0, 0));
    case "scale":
    case "scale3d":
      return turn(number(0, 1), 0, 0, number(1, number(0, 1) ?? Number.NaN));
    case "scalex":
      return turn(number(0, 1), 0, 0, 1);
    case "scaley":
      return turn(1, 0, 0, number(0, 1));
    case "scalez":
      return number(0, 1) !== undefined;
    case "rotatex":
      return angle !== undefined && turn(1, 0, 0, flip(Math.cos(radians)));
    case "rotatey":
      return angle !== undefined && turn(flip(Math.cos(radians)), 0, 0, 1);
    case "rotate":
    case "rotatez":
      return (
        angle !== undefined &&
        turn(Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians))
      );
    case "rotate3d":
      return rotateAround(
        parts.map((_, index) => number(index, 0)),
        turn,
        flip,
      );
    case "skew":
    case "skewx":
    case "skewy": {
      const first = Math.tan(radians);
      const second = Math.tan(((number(1, 0) ?? Number.NaN) * Math.PI) / 180);
      if (Number.isNaN(first) || Number.isNaN(second)) return false;
      return name === "skewy" ? turn(1, first, 0, 1) : turn(1, name === "skew" ? second : 0, first, 1);
    }
    case "matrix":
      return (
        move(number(4, 0), number(5, 0), 0) && turn(number(0, 1), number(1, 0), number(2, 0), number(3, 1))
      );
    case "matrix3d":
      return (
        move(number(12, 0), number(13, 0), number(14, 0)) &&
        turn(number(0, 1), number(1, 0), number(4, 0), number(5, 1))
      );
    case "perspective": {
      const depth = parts[0] === "none" ? null : along(0, 0);
      if (depth === undefined) return false;
      state.perspective = depth === null ? null : Math.max(1, depth);
      return true;
    }
    default:
      return false;
  }
}

/** The upper left of the matrix of CSS Transforms 2, section 14.3. */
function rotateAround(
  [x, y, z, angle]: readonly (number | undefined)[],
  turn: (a: number, b: number, c: number, d: number) => boolean,
  flip: (cosine: number) => number,
): boolean {
  if (x === undefined || y === undefined || z === undefined || angle === undefined) return false;
  const length = Math.hypot(x, y, z);
  if (length === 0) return true;
  const [u, v, w] = [x / length, y / length, z / length];
  const radians = (angle * Math.PI) / 180;
  const cosine = Math.cos(radians);
  const rest = 1 - cosine;
  flip(w * w * rest + cosine);
  return turn(
    u * u * rest + cosine,
    u * v * rest + w * Math.sin(radians),
    u * v * rest - w * Math.sin(radians),
    v * v * rest + cosine,
  );
}

/** The smaller singular value. */
function smallestScale([a, b, c, d]: State["matrix"]): number {
  const sum = a * a + b * b + c * c + d * d;
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * (a * d - b * c) ** 2));
  return Math.sqrt(Math.max(0, (sum - root) / 2));
}
