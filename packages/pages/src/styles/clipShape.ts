import { type Measures, measure } from "./measure.js";
import { readFunction, splitCommas, splitSpaces } from "./splitCss.js";

export interface ClippedBox extends Omit<Measures, "percentOf"> {
  /** In CSS pixels, as far as it is known. */
  readonly width: number;
  readonly height: number;
}

/** No letter can be read through a narrower gap. */
const MIN_VISIBLE_PX = 2;

/** Whether `clip-path` leaves nothing of a box visible; undefined where it is not understood. */
export function isClippedAway(value: string, box: ClippedBox): boolean | undefined {
  if (value === "none" || /^(border|padding|content|margin|fill|stroke|view)-box$/.test(value)) return false;
  const shape = readFunction(splitSpaces(value).find((part) => part.includes("(")) ?? "");
  if (shape === undefined) return undefined;
  const area = boundsOf(shape.name, shape.inside, box);
  if (area === undefined) return undefined;
  const [left, top, right, bottom] = area;
  const width = Math.min(right, box.width) - Math.max(left, 0);
  const height = Math.min(bottom, box.height) - Math.max(top, 0);
  return width < MIN_VISIBLE_PX || height < MIN_VISIBLE_PX;
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

type Bounds = readonly [left: number, top: number, right: number, bottom: number];

function boundsOf(name: string, inside: string, box: ClippedBox): Bounds | undefined {
  const across = (text: string) => measure(text, { ...box, percentOf: box.width });
  const down = (text: string) => measure(text, { ...box, percentOf: box.height });
  const read = (parts: readonly string[], by: readonly ((text: string) => number | undefined)[]) => {
    const values = parts.map((part, index) => by[index]?.(part));
    return values.every((value) => value !== undefined) ? values : undefined;
  };
  if (name === "inset") {
    const [first = "", second = first, third = first, fourth = second] = splitSpaces(
      inside.replace(/\bround\b.*$/, ""),
    );
    const given = read([first, second, third, fourth], [down, across, down, across]);
    if (!given) return undefined;
    const [top = 0, right = 0, bottom = 0, left = 0] = given;
    return [left, top, box.width - right, box.height - bottom];
  }
  if (name === "circle") {
    const [size = "", place = "50% 50%"] = inside.split(/\bat\b/);
    const radius = /^\s*$|-side|-corner/.test(size) ? box.width / 2 : across(size);
    const given = read(splitSpaces(place.replaceAll("center", "50%")), [across, down]);
    if (radius === undefined || !given) return undefined;
    const [x = 0, y = box.height / 2] = given;
    return [x - radius, y - radius, x + radius, y + radius];
  }
  if (name !== "polygon") return undefined;
  const points = splitCommas(inside)
    .filter((part) => !/^(nonzero|evenodd)$/.test(part))
    .map((part) => read(splitSpaces(part), [across, down]));
  return points.some((point) => point === undefined)
    ? undefined
    : boundsOfPoints(points.map((point) => point ?? []));
}

/** The bounds of a polygon; empty ones where it has no area. */
function boundsOfPoints(points: readonly (readonly number[])[]): Bounds {
  const area = points.reduce((sum, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = points[(index + 1) % points.length] ?? [];
    return sum + x * nextY - nextX * y;
  }, 0);
  if (Math.abs(area) / 2 < MIN_VISIBLE_PX * MIN_VISIBLE_PX) return [0, 0, 0, 0];
  const xs = points.map(([x = 0]) => x);
  const ys = points.map(([, y = 0]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
