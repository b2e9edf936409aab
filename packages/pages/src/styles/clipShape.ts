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
  if (name === "inset" || name === "rect" || name === "xywh") {
    const parts = splitSpaces(inside.replace(/\bround\b.*$/, ""));
    const [first = "", second = first, third = first, fourth = second] = parts;
    if (name === "xywh") {
      const given = read([first, second, third, fourth], [across, down, across, down]);
      if (!given) return undefined;
      const [x = 0, y = 0, width = 0, height = 0] = given;
      return [x, y, x + width, y + height];
    }
    const isRect = name === "rect";
    const far = [
      isRect ? "0" : first,
      isRect ? "100%" : second,
      isRect ? "100%" : third,
      isRect ? "0" : fourth,
    ];
    const edges = [first, second, third, fourth].map((part, index) =>
      part === "auto" ? (far[index] ?? "0") : part,
    );
    const given = read(edges, [down, across, down, across]);
    if (!given) return undefined;
    const [top = 0, right = 0, bottom = 0, left = 0] = given;
    return isRect ? [left, top, right, bottom] : [left, top, box.width - right, box.height - bottom];
  }
  if (name === "circle" || name === "ellipse") return boundsOfRound(inside, box, across, down);
  if (name === "polygon") {
    const points = splitCommas(inside)
      .filter((part) => !/^(nonzero|evenodd)$/.test(part))
      .map((part) => read(splitSpaces(part), [across, down]));
    return points.some((point) => point === undefined)
      ? undefined
      : boundsOfPoints(points.map((point) => point ?? []));
  }
  if (name === "path") {
    const path = inside.replaceAll(/["']/g, "").replace(/^\s*(nonzero|evenodd)\s*,/, "");
    // Relative and curved commands are not followed.
    if (/[^MLZmz\d\s.,eE+-]/.test(path) || /[lhvcsqta]/.test(path)) return undefined;
    const numbers = (path.match(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi) ?? []).map(Number);
    return boundsOfPoints(
      numbers.flatMap((x, index) => (index % 2 === 0 ? [[x, numbers[index + 1] ?? 0]] : [])),
    );
  }
  return undefined;
}

function boundsOfRound(
  inside: string,
  box: ClippedBox,
  across: (text: string) => number | undefined,
  down: (text: string) => number | undefined,
): Bounds | undefined {
  const [sizes = "", place = ""] = inside.split(/\bat\b/);
  const radius = (text: string | undefined, by: typeof across, whole: number) =>
    text === undefined || /^(closest|farthest)-/.test(text) ? whole / 2 : by(text);
  const [first, second] = splitSpaces(sizes);
  const rx = radius(first, across, box.width);
  const ry = radius(second ?? first, second === undefined ? across : down, box.height);
  const words: Readonly<Record<string, string>> = {
    left: "0%",
    top: "0%",
    center: "50%",
    right: "100%",
    bottom: "100%",
  };
  const [cx = "50%", cy = "50%"] = splitSpaces(place).map((part) => words[part] ?? part);
  const x = across(cx);
  const y = down(cy);
  if (rx === undefined || ry === undefined || x === undefined || y === undefined) return undefined;
  return [x - rx, y - ry, x + rx, y + ry];
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
