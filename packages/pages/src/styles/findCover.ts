import type { DomElement } from "../dom.js";
import type { Appearance } from "./appearance.js";

/** An opaque box that fills its whole parent. */
export interface Cover {
  readonly element: DomElement;
  readonly depth: number;
  /** The siblings that come before it in the page. */
  readonly before: ReadonlySet<DomElement>;
}

/** The two topmost boxes that cover everything else inside an element: the second one may cover the first. */
export function listCovers(
  parent: DomElement,
  around: Appearance,
  appearanceOf: (child: DomElement) => Appearance | undefined,
): readonly Cover[] {
  if (parent.localName !== "body" && !isPlaced(around)) return [];
  const { children } = parent;
  return children
    .flatMap((element, index) => {
      const appearance = appearanceOf(element);
      return appearance && fills(appearance) && isSolid(appearance, around)
        ? [{ element, depth: depthOf(appearance), index }]
        : [];
    })
    .sort((one, other) => other.depth - one.depth || other.index - one.index)
    .slice(0, 2)
    .map(({ element, depth, index }) => ({ element, depth, before: new Set(children.slice(0, index)) }));
}

/** Whether one of these is painted over an element (CSS 2.2, appendix E). */
export function isCovered(element: DomElement, appearance: Appearance, covers: readonly Cover[]): boolean {
  const own = depthOf(appearance);
  return covers.some(
    (cover) =>
      cover.element !== element && (cover.depth > own || (cover.depth === own && cover.before.has(element))),
  );
}

const isPlaced = ({ style }: Appearance) =>
  /^(absolute|fixed|relative|sticky)$/.test(style.get("position") ?? "");

/** Boxes in the flow lie just below all positioned ones. */
function depthOf(appearance: Appearance): number {
  if (!isPlaced(appearance)) return -0.5;
  const depth = Number(appearance.style.get("z-index") ?? "auto");
  return Number.isNaN(depth) ? 0 : depth;
}

function fills({ style, hiddenBy }: Appearance): boolean {
  if (hiddenBy !== null || !/^(absolute|fixed)$/.test(style.get("position") ?? "")) return false;
  const isZero = (property: string) => /^(0|0?\.0+|-[\d.]+)(px|%|r?em)?$/.test(style.get(property) ?? "");
  const isWhole = (property: string) => /^(100%|100[dsl]?v[wh])$/.test(style.get(property) ?? "");
  const spans = (start: string, end: string, size: string) => isZero(start) && (isZero(end) || isWhole(size));
  return spans("left", "right", "width") && spans("top", "bottom", "height");
}

function isSolid({ paint, isVisible }: Appearance, around: Appearance): boolean {
  const isFaded = paint.opacity < 0.9 * around.paint.opacity;
  return isVisible && !isFaded && paint.ground !== around.paint.ground && paint.ground.isSolid;
}
