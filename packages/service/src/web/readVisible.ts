import { createHiddenList, type FoundHidden } from "./hiddenList.js";
import { removeInvisible } from "./invisibleCharacters.js";
import { listAsides, listSpokenAttributes } from "./listAsides.js";
import { listSmuggled } from "./listSmuggled.js";
import {
  type DomDocument,
  type DomElement,
  type DomNode,
  type DomText,
  isElement,
  isText,
} from "./pageDocument.js";
import { BLOCK, CELL, createPageText, LINE, type WrittenText } from "./pageText.js";
import { createLooks } from "./styles/createLooks.js";
import { FIRST_LOOK, findDoubt, findReason, type Look } from "./styles/look.js";
import type { UnreadStyles } from "./types.js";

export interface VisiblePage extends WrittenText, FoundHidden {
  readonly unreadStyles: UnreadStyles;
}

/** Elements whose text starts and ends a block of its own. */
export const BLOCK_NAMES: ReadonlySet<string> = new Set(
  [
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure",
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table",
    "tbody tfoot thead tr ul",
  ].flatMap((line) => line.split(" ")),
);
/** What people do not read as text: code, pictures, frames, controls. */
const DROPPED_NAMES = new Set(
  [
    "applet area audio base button canvas col colgroup datalist embed frame frameset head iframe img input link map",
    "math meta meter noframes noscript object optgroup option output param picture progress script select source style svg",
    "template textarea title track video wbr",
  ].flatMap((line) => line.split(" ")),
);

/** Reads a page as people see it, and takes everything else out of the document. */
export function readVisible(document: DomDocument): VisiblePage {
  const looks = createLooks(document);
  const writer = createPageText();
  const hidden = createHiddenList();
  const unseen: DomNode[] = [];
  const shown: string[] = [];
  const doubts = new Set<string>();

  const visitText = (node: DomText, look: Look, isPre: boolean) => {
    const reason = findReason(look);
    if (reason !== null) {
      hidden.add(reason, node.data);
      unseen.push(node);
      return;
    }
    const doubt = /[\p{L}\p{N}]/u.test(node.data) ? findDoubt(look) : null;
    if (doubt !== null) doubts.add(doubt);
    shown.push(node.data);
    node.data = removeInvisible(node.data);
    if (node.data.trim() === "") hidden.separate();
    else hidden.endPiece();
    if (!writer.write(node, isPre)) unseen.push(node);
  };

  const visit = (parent: DomElement, look: Look, isPre: boolean) => {
    for (const node of parent.childNodes) {
      if (isText(node)) visitText(node, look, isPre);
      else if (!isElement(node) || DROPPED_NAMES.has(node.localName)) {
        for (const aside of listAsides(node)) hidden.addAside(aside);
        unseen.push(node);
      } else visitElement(node, look, isPre);
    }
  };

  const visitElement = (element: DomElement, around: Look, isPre: boolean) => {
    const look = looks.inside(around, element);
    for (const aside of listSpokenAttributes(element)) hidden.addAside(aside);
    if (findReason(look) !== null && isSkipLink(element)) {
      unseen.push(element);
      return;
    }
    const separator = separatorOf(element);
    const separate = () => {
      writer.separate(separator);
      if (separator > 0) hidden.separate();
    };
    separate();
    visit(element, look, isPre || element.localName === "pre");
    separate();
    if (look.buriedBy !== null) unseen.push(element);
  };

  for (const node of document.head.childNodes)
    if (!isElement(node) || node.localName !== "title")
      for (const aside of listAsides(node)) hidden.addAside(aside);
  for (const aside of listSpokenAttributes(document.body)) hidden.addAside(aside);
  const root = looks.inside(FIRST_LOOK, document.documentElement);
  visit(document.body, looks.inside(root, document.body), false);
  for (const node of unseen) node.remove();
  for (const element of document.reopened ?? []) element.replaceWith(...element.childNodes);
  const title = document.head.querySelector("title")?.textContent ?? "";
  for (const said of listSmuggled(`${title}\n${shown.join("")}`))
    hidden.addWhole("invisible_characters", said);
  const { externalSheets, isIncomplete } = looks;
  const unreadStyles = { externalSheets, isIncomplete, doubts: [...doubts].sort() };
  return { ...writer.finish(), ...hidden.finish(), unreadStyles };
}

function separatorOf({ localName }: DomElement): number {
  if (localName === "br") return LINE;
  if (localName === "td" || localName === "th") return CELL;
  return BLOCK_NAMES.has(localName) ? BLOCK : 0;
}

/** Shown as soon as it has the keyboard's focus; most pages have one. */
function isSkipLink(element: DomElement): boolean {
  return (
    element.localName === "a" &&
    element.getAttribute("href")?.startsWith("#") === true &&
    element.textContent.length <= 40
  );
}
