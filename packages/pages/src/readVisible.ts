import { findAgentInstruction } from "@assay/protocol";
import { type DomDocument, type DomElement, type DomNode, type DomText, isElement, isText } from "./dom.js";
import { createHiddenList, type FoundHidden } from "./hiddenList.js";
import { removeInvisible } from "./invisibleCharacters.js";
import { type Aside, listAsides, listAttributeTexts } from "./listAsides.js";
import { listGeneratedWords } from "./listGeneratedWords.js";
import { listSmuggled } from "./listSmuggled.js";
import { BLOCK, CELL, createPageText, LINE, type WrittenText } from "./pageText.js";
import { readAddressText } from "./readAddressText.js";
import { type Appearance, findDoubt, findHidingReason, INITIAL_APPEARANCE } from "./styles/appearance.js";
import { createVisibilityReader } from "./styles/createVisibilityReader.js";
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
/** Elements that people do not read as text: code, pictures, frames, controls. */
const DROPPED_NAMES = new Set(
  [
    "applet area audio base button canvas col colgroup datalist embed frame frameset head iframe img input link map",
    "math meta meter noframes noscript object optgroup option output param picture progress script select source style svg",
    "template textarea title track video wbr",
  ].flatMap((line) => line.split(" ")),
);

/** Elements with text that the author withdrew. */
const STRUCK_NAMES = new Set(["s", "del", "strike"]);
/** Values of `display` that start a new line or cell, so that no word continues into the box. */
const SEPARATE_BOX = /^(?:block|flow-root|flex|grid|list-item|table|table-cell|table-row|table-caption)$/;

/**
 * Reads a page as people see it, and removes everything else from the document. `restore` puts back what placeholders in
 * hidden text stand for.
 */
export function readVisible(document: DomDocument, restore = (text: string) => text): VisiblePage {
  const visibility = createVisibilityReader(document);
  const writer = createPageText();
  const hidden = createHiddenList();
  const unseen: DomNode[] = [];
  const shown: string[] = [];
  const doubts = new Set<string>();
  const generated = listGeneratedWords(document);
  const addresses: string[] = [];
  /** A box began or ended, so that the next text is another word. */
  let isApart = false;
  /** A superscript began. */
  let isRaised = false;
  let struck = 0;
  let isInSkipLink = false;

  /** Adds the separation that people see between two words only by their places. */
  const separateWords = (node: DomText) => {
    if (isApart) node.data = ` ${node.data}`;
    else if (isRaised && /^[-+\u2212]?\d/.test(node.data) && writer.isInWord()) node.data = `^${node.data}`;
    isApart = false;
    isRaised = false;
  };

  const visitText = (node: DomText, appearance: Appearance, isPre: boolean) => {
    const reason = findHidingReason(appearance);
    if (reason !== null) {
      hidden.add(reason, restore(node.data), isInSkipLink);
      unseen.push(node);
      return;
    }
    const doubt = /[\p{L}\p{N}]/u.test(node.data) ? findDoubt(appearance) : null;
    if (doubt !== null) doubts.add(doubt);
    shown.push(node.data);
    node.data = removeInvisible(node.data);
    if (node.data.trim() === "") hidden.separate();
    else {
      hidden.endPiece();
      separateWords(node);
    }
    if (!writer.write(node, isPre, struck > 0)) unseen.push(node);
  };

  const visit = (parent: DomElement, appearance: Appearance, isPre: boolean, display = "") => {
    for (const node of parent.childNodes) {
      if (isText(node)) visitText(node, appearance, isPre);
      else if (!isElement(node) || DROPPED_NAMES.has(node.localName)) {
        for (const aside of listAsides(node)) hidden.addAside(aside);
        unseen.push(node);
      } else visitElement(node, appearance, isPre, display);
    }
  };

  const visitElement = (element: DomElement, around: Appearance, isPre: boolean, outer: string) => {
    const appearance = visibility.inside(around, element);
    // An element without a style of its own has the appearance around it, but `display` is not inherited.
    const display = appearance === around ? "" : (appearance.style.get("display") ?? "");
    const isBox = SEPARATE_BOX.test(display) || /^(?:inline-)?(?:flex|grid)$/.test(outer);
    const href = /^(?:a|area)$/.test(element.localName) ? element.getAttribute("href") : null;
    if (href) addresses.push(readAddressText(href));
    for (const aside of listAttributeTexts(element)) hidden.addAside(aside);
    const isLink = !isInSkipLink && findHidingReason(appearance) !== null && isSkipLink(element);
    if (isLink) isInSkipLink = true;
    const separator = separatorOf(element);
    const separate = () => {
      writer.separate(separator);
      if (separator > 0) hidden.separate();
      if (isBox && separator === 0) isApart = true;
    };
    separate();
    const isStruck = STRUCK_NAMES.has(element.localName);
    if (isStruck) struck += 1;
    isRaised = element.localName === "sup";
    visit(element, appearance, isPre || element.localName === "pre", display);
    if (isStruck) struck -= 1;
    isRaised = false;
    separate();
    if (isLink) isInSkipLink = false;
    if (appearance.hiddenBy !== null) unseen.push(element);
  };

  for (const aside of listHeadAsides(document)) hidden.addAside(aside);
  const root = visibility.inside(INITIAL_APPEARANCE, document.documentElement);
  visit(document.body, visibility.inside(root, document.body), false);
  for (const node of unseen) node.remove();
  for (const element of document.reopened ?? []) element.replaceWith(...element.childNodes);
  const title = document.head.querySelector("title")?.textContent ?? "";
  for (const text of listSmuggled(`${title}\n${shown.join("")}`))
    hidden.addWhole("invisible_characters", text);
  const { externalSheets, isIncomplete } = visibility;
  const written = writer.finish();
  for (const text of listCommanding(addresses, `${title} ${written.text}`))
    hidden.addWhole("comment_like", text);
  if (generated.some((element) => /\p{L}|\p{N}/u.test(element.textContent))) doubts.add("generated-text");
  const unreadStyles = { externalSheets, isIncomplete, doubts: [...doubts].sort() };
  return { ...written, ...hidden.finish(), unreadStyles };
}

/** The texts of the head, and of the body's own attributes. */
function listHeadAsides({ head, body }: DomDocument): Aside[] {
  const nodes = head.childNodes.filter((node) => !isElement(node) || node.localName !== "title");
  return [...nodes.flatMap(listAsides), ...listAttributeTexts(body)];
}

/** The texts in links' addresses that give orders to an agent and are not visible on the page. */
const listCommanding = (addresses: readonly string[], seen: string) =>
  addresses.filter((text) => text !== "" && findAgentInstruction(text) !== null && !seen.includes(text));

function separatorOf({ localName }: DomElement): number {
  if (localName === "br") return LINE;
  if (localName === "td" || localName === "th") return CELL;
  return BLOCK_NAMES.has(localName) ? BLOCK : 0;
}

/** Whether a hidden link becomes visible with the keyboard's focus; most pages have one. */
function isSkipLink(element: DomElement): boolean {
  return (
    element.localName === "a" &&
    element.getAttribute("href")?.startsWith("#") === true &&
    element.textContent.length <= 40
  );
}
