/** [a, b, c, d, e, f]: x' = ax + cy + e, y' = bx + dy + f (ISO 32000-1, section 8.3.3). */
export type Matrix = ArrayLike<number>;
export type Box = readonly [left: number, bottom: number, right: number, top: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export function isMatrix(value: unknown): value is Matrix {
  return (
    (Array.isArray(value) || value instanceof Float32Array) &&
    value.length >= 6 &&
    value.every(Number.isFinite)
  );
}

/** What `inner` and then `outer` do to a point. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d] = [outer[0] ?? 1, outer[1] ?? 0, outer[2] ?? 0, outer[3] ?? 1];
  const [g, h, i, j] = [inner[0] ?? 1, inner[1] ?? 0, inner[2] ?? 0, inner[3] ?? 1];
  const [e, f] = apply(outer, inner[4] ?? 0, inner[5] ?? 0);
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, e, f];
}

export function apply(matrix: Matrix, x: number, y: number): readonly [number, number] {
  return [
    (matrix[0] ?? 1) * x + (matrix[2] ?? 0) * y + (matrix[4] ?? 0),
    (matrix[1] ?? 0) * x + (matrix[3] ?? 1) * y + (matrix[5] ?? 0),
  ];
}

/** An area of the page, in its units. */
export interface Shape {
  readonly box: Box;
  /** Its outlines as x, y, x, y, …; null where it is exactly its box. */
  readonly rings: readonly (readonly number[])[] | null;
  readonly isEvenOdd: boolean;
}

/** The operations in pdf.js's path data, each followed by its coordinates. */
const MOVE = 0;
const LINE = 1;
const CURVE = 2;
const QUADRATIC = 3;
/** Straight pieces that stand for one curve. */
const PIECES = 4;

/** The area inside a path; `path` is pdf.js's form of it. */
export function shapePath(path: ArrayLike<number>, matrix: Matrix, isEvenOdd: boolean): Shape {
  const rings: number[][] = [];
  let ring: number[] = [];
  let at: readonly [number, number] = [0, 0];
  const put = (x: number, y: number) => {
    ring.push(...apply(matrix, x, y));
    at = [x, y];
  };
  for (let i = 0; i < path.length; ) {
    const operation = path[i];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = [1, 2, 3, 4, 5, 6].map((step) => path[i + step]);
    const [x0, y0] = at;
    if (operation === MOVE) {
      ring = [];
      rings.push(ring);
      put(x1, y1);
    } else if (operation === LINE) put(x1, y1);
    else if (operation === CURVE || operation === QUADRATIC)
      for (let piece = 1; piece <= PIECES; piece += 1) {
        const t = piece / PIECES;
        const s = 1 - t;
        const bend = (p0: number, p1: number, p2: number, p3: number) =>
          operation === CURVE
            ? s ** 3 * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t ** 3 * p3
            : s * s * p0 + 2 * s * t * p1 + t * t * p2;
        const point = [bend(x0, x1, x2, x3), bend(y0, y1, y2, y3)] as const;
        put(...point);
      }
    i +=
      operation === MOVE || operation === LINE
        ? 3
        : operation === CURVE
          ? 7
          : operation === QUADRATIC
            ? 5
            : 1;
  }
  return { box: boxOf(rings.flat()), rings: isRectangle(rings) ? null : rings, isEvenOdd };
}

export function shapeBox([left, bottom, right, top]: Box, matrix: Matrix): Shape {
  const path = [MOVE, left, bottom, LINE, right, bottom, LINE, right, top, LINE, left, top];
  return shapePath(path, matrix, false);
}

/** The area of a straight line of some width, which can cover text as a box does; null for any other path. */
export function shapeLine(path: ArrayLike<number>, matrix: Matrix, width: number): Shape | null {
  if (path[0] !== MOVE || path[3] !== LINE || path.length > 7) return null;
  const [x0, y0] = [path[1] ?? 0, path[2] ?? 0];
  const [x1, y1] = [path[4] ?? 0, path[5] ?? 0];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return null;
  const [dx, dy] = [((y0 - y1) / length) * (width / 2), ((x1 - x0) / length) * (width / 2)];
  const sides = [
    MOVE,
    x0 + dx,
    y0 + dy,
    LINE,
    x1 + dx,
    y1 + dy,
    LINE,
    x1 - dx,
    y1 - dy,
    LINE,
    x0 - dx,
    y0 - dy,
  ];
  return shapePath(sides, matrix, false);
}

function boxOf(points: readonly number[]): Box {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const [x = 0, y = 0] = [points[i], points[i + 1]];
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return [left, bottom, right, top];
}

/** One outline with upright and level sides only, between four corners. */
function isRectangle(rings: readonly (readonly number[])[]): boolean {
  const [ring = []] = rings;
  if (rings.length !== 1 || (ring.length !== 8 && ring.length !== 10)) return false;
  const [x0, y0, x1, y1, x2, y2, x3, y3, x4 = x0, y4 = y0] = ring;
  const isLevelFirst = y0 === y1 && x1 === x2 && y2 === y3 && x3 === x0;
  const isUprightFirst = x0 === x1 && y1 === y2 && x2 === x3 && y3 === y0;
  return (isLevelFirst || isUprightFirst) && x4 === x0 && y4 === y0;
}

export function contains({ box, rings, isEvenOdd }: Shape, x: number, y: number): boolean {
  const [left, bottom, right, top] = box;
  if (x < left || x > right || y < bottom || y > top) return false;
  if (rings === null) return true;
  let winding = 0;
  let crossings = 0;
  for (const ring of rings)
    for (let i = 0; i < ring.length; i += 2) {
      const [x0 = 0, y0 = 0] = [ring[i], ring[i + 1]];
      const next = i + 2 < ring.length ? i + 2 : 0;
      const [x1 = 0, y1 = 0] = [ring[next], ring[next + 1]];
      if (y0 <= y === y1 <= y) continue;
      // Where the side crosses the level of the point.
      if (x0 + ((y - y0) / (y1 - y0)) * (x1 - x0) <= x) continue;
      winding += y1 > y0 ? 1 : -1;
      crossings += 1;
    }
  return isEvenOdd ? crossings % 2 === 1 : winding !== 0;
}
