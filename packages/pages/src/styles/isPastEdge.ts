import { type DomElement, type DomNode, isElement, isText } from "../dom.js";
import { WINDOW } from "./measure.js";
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
  const at = (side: string, whole: number) => (isPlaced ? read.length(side, whole) : null);
  const [left, top] = [at("left", WINDOW.width), at("top", WINDOW.height)];
  const [right, bottom] = [at("right", WINDOW.width), at("bottom", WINDOW.height)];
  // Placed by its far edge alone, and that edge is not inside the window.
  if (left === null && right !== null && right >= WINDOW.width) return true;
  if (top === null && bottom !== null && bottom >= WINDOW.height) return true;
  if (box.x >= 0 && box.y >= 0 && (bottom === null || !isFixed)) return false;
  const letters = countLetters(element, MAX_LETTERS) * LETTER_WIDTH * fontSize;
  if (letters === 0) return false;
  const width = read.length("width", around.width) ?? Math.min(letters, around.width);
  const own = read.length("height", 0);
  const height = own ?? Math.ceil(letters / Math.max(1, Math.min(box.width, around.width))) * line;
  if (isFixed && bottom !== null && top === null && bottom <= -height) return true;
  if (left !== null && box.x <= -width) return true;
  const isAtTop = isPlaced ? top !== null : isFirst(element);
  return isAtTop && !around.isAnchored && box.y + WINDOW_MARGIN_PX <= -height;
}

/** Taller boxes show the beginning of a text that readers unfold. */
const MAX_CUT_PX = 100;

/** Whether a low box that cuts its content off holds at least twice as many lines as it shows. */
export function overflowsClip(
  element: DomElement,
  box: BoxPlacement,
  read: StyleReader,
  { fontSize, line }: { readonly fontSize: number; readonly line: number },
): boolean {
  if (!/hidden|clip/.test(read.word("overflow-y", ""))) return false;
  const clamp = Number.parseInt(read.word("-webkit-line-clamp", ""), 10);
  const height = box.height ?? (clamp > 0 ? clamp * line : null);
  if (height === null || height > MAX_CUT_PX || height <= 0) return false;
  const letters = countLetters(element, MAX_LETTERS) * LETTER_WIDTH * fontSize;
  const wrapped = Math.ceil(letters / Math.max(1, box.width));
  const broken = element.listInside("p", "br", "li", "div", "tr").length;
  return Math.max(wrapped, broken) * line >= 2 * Math.max(height, line);
}

function countLetters(node: DomNode, max: number): number {
  if (isText(node)) return node.data.trim().length;
  if (!isElement(node)) return 0;
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
