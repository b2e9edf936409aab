import type { DomElement } from "../dom.js";
import type { Look } from "./look.js";

/** A box that fills the whole of its parent and lets nothing through. */
export interface Cover {
  readonly element: DomElement;
  readonly depth: number;
  /** The siblings that come before it in the page. */
  readonly before: ReadonlySet<DomElement>;
}

/** The boxes inside an element that lie over everything else in it: the topmost, and the one that may cover that. */
export function listCovers(
  parent: DomElement,
  around: Look,
  lookOf: (child: DomElement) => Look | undefined,
): readonly Cover[] {
  if (parent.localName !== "body" && !isPlaced(around)) return [];
  const { children } = parent;
  return children
    .flatMap((element, index) => {
      const look = lookOf(element);
      return look && fills(look) && isSolid(look, around) ? [{ element, depth: depthOf(look), index }] : [];
    })
    .sort((one, other) => other.depth - one.depth || other.index - one.index)
    .slice(0, 2)
    .map(({ element, depth, index }) => ({ element, depth, before: new Set(children.slice(0, index)) }));
}

/** Whether one of these is painted over an element (CSS 2.2, appendix E). */
export function isCovered(element: DomElement, look: Look, covers: readonly Cover[]): boolean {
  const own = depthOf(look);
  return covers.some(
    (cover) =>
      cover.element !== element && (cover.depth > own || (cover.depth === own && cover.before.has(element))),
  );
}

const isPlaced = ({ style }: Look) => /^(absolute|fixed|relative|sticky)$/.test(style.get("position") ?? "");

/** Boxes in the flow lie below all that are placed, if only by a little. */
function depthOf(look: Look): number {
  if (!isPlaced(look)) return -0.5;
  const depth = Number(look.style.get("z-index") ?? "auto");
  return Number.isNaN(depth) ? 0 : depth;
}

function fills({ style, buriedBy }: Look): boolean {
  if (buriedBy !== null || !/^(absolute|fixed)$/.test(style.get("position") ?? "")) return false;
  const isZero = (property: string) => /^(0|0?\.0+|-[\d.]+)(px|%|r?em)?$/.test(style.get(property) ?? "");
  const isWhole = (property: string) => /^(100%|100[dsl]?v[wh])$/.test(style.get(property) ?? "");
  const spans = (start: string, end: string, size: string) => isZero(start) && (isZero(end) || isWhole(size));
  return spans("left", "right", "width") && spans("top", "bottom", "height");
}

function isSolid({ paint, isVisible }: Look, around: Look): boolean {
  const isFaded = paint.group !== null && paint.group !== around.paint.group && paint.group.opacity < 0.9;
  return isVisible && !isFaded && paint.ground !== around.paint.ground && paint.ground.isSolid;
}
