import { type DomElement, type DomNode, isText } from "../dom.js";
import { type BoxPlacement, WINDOW_MARGIN_PX } from "./placeBox.js";
import type { StyleReader } from "./styleReader.js";

/** The average width of a letter, as a factor of the font size. */
const LETTER_WIDTH = 0.5;
/** Counting stops here: so many letters need more room than any distance that is tested. */
const MAX_LETTERS = 10_000;

/** Whether a box, at the size its text needs, lies completely past an edge of the window that cannot be scrolled over. */
export function isPastEdge(
  element: DomElement,
  box: BoxPlacement,
  around: BoxPlacement,
  read: StyleReader,
  { fontSize, line }: { readonly fontSize: number; readonly line: number },
): boolean {
  const position = read.word("position", "static");
  const isFixed = position === "fixed";
  const isPlaced = isFixed || (position === "absolute" && !around.isAnchored);
  const bottom = isFixed ? read.length("bottom", 0) : null;
  if (box.x >= 0 && box.y >= 0 && bottom === null) return false;
  const letters = countLetters(element, MAX_LETTERS) * LETTER_WIDTH * fontSize;
  if (letters === 0) return false;
  const width = read.length("width", around.width) ?? Math.min(letters, around.width);
  const own = read.length("height", 0);
  const height = own ?? Math.ceil(letters / Math.max(1, Math.min(box.width, around.width))) * line;
  if (isPlaced && bottom !== null && read.length("top", 0) === null && bottom <= -height) return true;
  if (isPlaced && read.length("left", 0) !== null && box.x <= -width) return true;
  const isAtTop = isPlaced ? read.length("top", 0) !== null : isFirst(element);
  return isAtTop && !around.isAnchored && box.y + WINDOW_MARGIN_PX <= -height;
}

function countLetters(node: DomNode, max: number): number {
  if (isText(node)) return node.data.trim().length;
  let count = 0;
  for (const child of node.childNodes) {
    if (count >= max) break;
    count += countLetters(child, max - count);
  }
  return count;
}

/** Whether nothing that takes up room comes before it on the page. */
function isFirst(element: DomElement): boolean {
  for (let at = element; at.parentNode && at.localName !== "body"; at = at.parentNode)
    for (const sibling of at.parentNode.children) {
      if (sibling === at) break;
      if (!/^(style|script|link|meta|template)$/.test(sibling.localName)) return false;
    }
  return true;
}
