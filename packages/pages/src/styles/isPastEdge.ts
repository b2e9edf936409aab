import { type DomElement, type DomNode, isText } from "../dom.js";
import { type BoxLook, WINDOW_MARGIN } from "./placeBox.js";
import type { StyleReader } from "./styleReader.js";

/** Of the font size: what a letter is wide on average. */
const LETTER_WIDTH = 0.5;
/** So many fill more than any box that is moved out by less than counts as far. */
const MANY_LETTERS = 10_000;

/** Whether a box lies wholly past an edge of the window that nobody can scroll over, by the size its text needs. */
export function isPastEdge(
  element: DomElement,
  box: BoxLook,
  around: BoxLook,
  read: StyleReader,
  { fontSize, line }: { readonly fontSize: number; readonly line: number },
): boolean {
  const position = read.word("position", "static");
  const isFixed = position === "fixed";
  const isPlaced = isFixed || (position === "absolute" && !around.isAnchored);
  const bottom = isFixed ? read.length("bottom", 0) : null;
  if (box.x >= 0 && box.y >= 0 && bottom === null) return false;
  const letters = countLetters(element, MANY_LETTERS) * LETTER_WIDTH * fontSize;
  if (letters === 0) return false;
  const width = read.length("width", around.width) ?? Math.min(letters, around.width);
  const own = read.length("height", 0);
  const height = own ?? Math.ceil(letters / Math.max(1, Math.min(box.width, around.width))) * line;
  if (isPlaced && bottom !== null && read.length("top", 0) === null && bottom <= -height) return true;
  if (isPlaced && read.length("left", 0) !== null && box.x <= -width) return true;
  const isAtTop = isPlaced ? read.length("top", 0) !== null : isFirst(element);
  return isAtTop && !around.isAnchored && box.y + WINDOW_MARGIN <= -height;
}

function countLetters(node: DomNode, most: number): number {
  if (isText(node)) return node.data.trim().length;
  let count = 0;
  for (const child of node.childNodes) {
    if (count >= most) break;
    count += countLetters(child, most - count);
  }
  return count;
}

/** Nothing that takes up room stands before it on the page. */
function isFirst(element: DomElement): boolean {
  for (let at = element; at.parentNode && at.localName !== "body"; at = at.parentNode)
    for (const sibling of at.parentNode.children) {
      if (sibling === at) break;
      if (!/^(style|script|link|meta|template)$/.test(sibling.localName)) return false;
    }
  return true;
}
