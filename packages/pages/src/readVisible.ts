import { findAgentInstruction } from "@assay/protocol";
import { type DomDocument, type DomElement, type DomNode, type DomText, isElement, isText } from "./dom.js";
import { createHiddenList, type FoundHidden } from "./hiddenList.js";
import { removeInvisible } from "./invisibleCharacters.js";
import { type Aside, listAsides, listAttributeTexts } from "./listAsides.js";
import { listGeneratedWords } from "./listGeneratedWords.js";
import { listSmuggled } from "./listSmuggled.js";
import { BLOCK, CELL, createPageText, LINE, type WrittenText } from "./pageText.js";
import { readAddressText } from "./readAddressText.js";
import {
  type Appearance,
  findDoubt,
  findHidingReason,
  type HiddenKind,
  INITIAL_APPEARANCE,
} from "./styles/appearance.js";
import { createVisibilityReader, type VisibilityReader } from "./styles/createVisibilityReader.js";
import type { OtherSheets } from "./styles/readStyles.js";

export interface VisiblePage extends WrittenText, FoundHidden {
  /** What it is uncertain for whether people see it, with the cause. */
  readonly doubts: ReadonlyMap<DomNode, string>;
  readonly unreadSheets: number;
  readonly isIncomplete: boolean;
  /** Everything is hidden until a script shows the page. */
  readonly isShownByScripts: boolean;
}

export interface VisibleOptions {
  /** Puts back what placeholders in hidden text stand for. */
  readonly restore?: (text: string) => string;
  readonly sheets?: OtherSheets;
  readonly hasScripts?: boolean;
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
    "annotation annotation-xml applet area audio base canvas col colgroup datalist embed frame frameset head iframe img input",
    "link map meta meter noframes noscript object optgroup option output param picture progress script select source style svg",
    "template textarea title track video wbr",
  ].flatMap((line) => line.split(" ")),
);

/** Elements with text that the author withdrew. */
const STRUCK_NAMES = new Set(["s", "del", "strike"]);
/** Values of `display` that start a new line or cell, so that no word continues into the box. */
const SEPARATE_BOX = /^(?:block|flow-root|flex|grid|list-item|table|table-cell|table-row|table-caption)$/;

/** Reads a page as people see it, and removes everything else from the document. */
export function readVisible(document: DomDocument, options: VisibleOptions = {}): VisiblePage {
  const { restore = (text: string) => text, sheets = NO_SHEETS, hasScripts = false } = options;
  const visibility = createVisibilityReader(document, sheets);
  const writer = createPageText();
  const hidden = createHiddenList();
  const unseen: DomNode[] = [];
  const shown: string[] = [];
  const doubts = new Map<DomNode, string>();
  const generated = listGeneratedWords(document);
  const addresses: string[] = [];
  const title = document.head.listInside("title")[0]?.textContent ?? "";
  /** Nearly all of the page is transparent until a script shows each part. */
  let isFaded = false;
  /** A box began or ended, so that the next text is another word. */
  let isApart = false;
  /** The sign for what began: a superscript, or the second part of a formula. */
  let sign = "";
  let struck = 0;
  let isInSkipLink = false;

  /** Many texts share one appearance. */
  const judged = new Map<Appearance, { reason: HiddenKind | null; doubt: string | null }>();
  const judge = (appearance: Appearance) => {
    const known = judged.get(appearance);
    if (known) return known;
    const seen = isFaded ? showFaded(appearance) : appearance;
    const found = { reason: findHidingReason(seen), doubt: findDoubt(seen) };
    judged.set(appearance, found);
    return found;
  };

  /** Adds the separation that people see between two words only by their places. */
  const separateWords = (node: DomText) => {
    if (isApart) node.data = ` ${node.data}`;
    else if (sign !== "" && writer.isInWord()) node.data = `${sign}${node.data}`;
    isApart = false;
    sign = "";
  };

  const visitText = (node: DomText, appearance: Appearance, isPre: boolean) => {
    const found = judge(appearance);
    // A headline over a picture, in the words that people read in the window's title.
    const needsPicture = found.reason === "same_colour" || found.doubt === "picture";
    const isTitle = needsPicture && isInTitle(title, node.data);
    const { reason, doubt: styleDoubt } = isTitle ? SEEN : found;
    // A blank has no colour.
    if (reason !== null && !(reason === "same_colour" && node.data.trim() === "")) {
      hidden.add(reason, restore(node.data), isInSkipLink);
      unseen.push(node);
      return;
    }
    if (styleDoubt !== null && /[\p{L}\p{N}]/u.test(node.data)) doubts.set(node, styleDoubt);
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
      else if (isElement(node) && isFormulaPicture(node)) showFormula(node, appearance, isPre);
      else if (!isElement(node) || DROPPED_NAMES.has(node.localName)) {
        for (const aside of listAsides(node)) hidden.addAside(aside);
        unseen.push(node);
      } else visitElement(node, appearance, isPre, display);
    }
  };

  /** A formula that is drawn as a picture, by its source. */
  const showFormula = (picture: DomElement, appearance: Appearance, isPre: boolean) => {
    const text = document.createTextNode(picture.getAttribute("alt") ?? "");
    picture.replaceWith(text);
    visitText(text, appearance, isPre);
  };

  const visitElement = (element: DomElement, around: Appearance, isPre: boolean, outer: string) => {
    const appearance = visibility.inside(around, element);
    // An element without a style of its own has the appearance around it, but `display` is not inherited.
    const display = appearance === around ? "" : (appearance.style.get("display") ?? "");
    const isBox =
      element.localName === "button" ||
      SEPARATE_BOX.test(display) ||
      /^(?:inline-)?(?:flex|grid)$/.test(outer);
    const href = /^(?:a|area)$/.test(element.localName) ? element.getAttribute("href") : null;
    if (href) addresses.push(readAddressText(href));
    for (const aside of listAttributeTexts(element)) hidden.addAside(aside);
    const isLink =
      !isInSkipLink && element.localName === "a" && judge(appearance).reason !== null && isSkipLink(element);
    if (isLink) isInSkipLink = true;
    // What is not there separates nothing.
    const separator = appearance.hiddenBy === null ? separatorOf(element) : 0;
    const separate = () => {
      if (appearance.hiddenBy !== null && separatorOf(element) > 0) hidden.separate();
      writer.separate(separator);
      if (separator > 0) hidden.separate();
      if (isBox && separator === 0 && appearance.hiddenBy === null) isApart = true;
    };
    separate();
    const isStruck = STRUCK_NAMES.has(element.localName);
    if (isStruck) struck += 1;
    sign = signOf(element);
    visit(element, appearance, isPre || element.localName === "pre", display);
    if (isStruck) struck -= 1;
    sign = "";
    separate();
    if (isLink) isInSkipLink = false;
    if (appearance.hiddenBy !== null) unseen.push(element);
  };

  for (const aside of listHeadAsides(document)) hidden.addAside(aside);
  const root = visibility.inside(INITIAL_APPEARANCE, document.documentElement);
  const body = visibility.inside(root, document.body);
  const isHiddenPage =
    hasScripts && findHidingReason(body) !== null && !hasSeenText(document.body, body, visibility);
  isFaded = hasScripts && !isHiddenPage && isFadedIn(document.body, body, visibility);
  visit(document.body, isHiddenPage ? showAgain(body) : body, false);
  for (const node of unseen) node.remove();
  for (const text of listSmuggled(`${title}\n${shown.join("")}`))
    hidden.addWhole("invisible_characters", text);
  const { unreadSheets, isIncomplete } = visibility;
  const written = writer.finish();
  for (const text of listCommanding(addresses, `${title} ${written.text}`))
    hidden.addWhole("comment_like", text);
  for (const element of generated) doubts.set(element, "generated-text");
  return {
    ...written,
    ...hidden.finish(`${title}\n${written.text}`),
    doubts,
    unreadSheets,
    isIncomplete,
    isShownByScripts: isHiddenPage || isFaded,
  };
}

const SEEN = { reason: null, doubt: null };

/** Whether the page's title holds a text of two words or more. */
const isInTitle = (title: string, text: string) => {
  const wordsOf = (from: string) => ` ${(from.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
  const words = wordsOf(text);
  return words.trim().includes(" ") && wordsOf(title).includes(words);
};

const NO_SHEETS: OtherSheets = { base: "https://page.invalid/", sheets: [] };

/** Whether any text inside is seen. */
function hasSeenText(element: DomElement, appearance: Appearance, visibility: VisibilityReader): boolean {
  return element.childNodes.some((node) => {
    if (isText(node)) return /[\p{L}\p{N}]/u.test(node.data) && findHidingReason(appearance) === null;
    if (!isElement(node) || DROPPED_NAMES.has(node.localName)) return false;
    return hasSeenText(node, visibility.inside(appearance, node), visibility);
  });
}

/** In letters. A page that shows fewer, and has several times as many that are transparent, lets a script show them. */
const MAX_SEEN = 100;
const MIN_FADED = 500;

/**
 * Whether a page shows next to nothing, and would show a text if nothing was transparent. A text that addresses an agent is hidden
 * wherever it is transparent.
 */
function isFadedIn(body: DomElement, around: Appearance, visibility: VisibilityReader): boolean {
  let seen = 0;
  let faded = 0;
  const texts: string[] = [];
  const visit = (element: DomElement, appearance: Appearance) => {
    for (const node of element.childNodes) {
      if (seen >= MAX_SEEN) return;
      if (isText(node)) {
        const letters = node.data.match(/\p{L}/gu)?.length ?? 0;
        if (letters === 0) continue;
        if (findHidingReason(appearance) === null) seen += letters;
        else if (findHidingReason(showFaded(appearance)) === null) {
          faded += letters;
          texts.push(node.data);
        }
      } else if (isElement(node) && !DROPPED_NAMES.has(node.localName))
        visit(node, visibility.inside(appearance, node));
    }
  };
  visit(body, around);
  return seen < MAX_SEEN && faded >= MIN_FADED && findAgentInstruction(texts.join(" ")) === null;
}

const showFaded = (appearance: Appearance): Appearance => ({
  ...appearance,
  isVisible: true,
  paint: { ...appearance.paint, opacity: 1 },
});

/** Pages hide themselves until their scripts have run; nobody would be shown anything otherwise. */
const showAgain = (appearance: Appearance): Appearance => ({
  ...INITIAL_APPEARANCE,
  fontSize: Math.max(appearance.fontSize, INITIAL_APPEARANCE.fontSize / 2),
  style: appearance.style,
  paint: { ...appearance.paint, opacity: 1 },
});

/** The second parts of formulas, which people recognise by their place. */
const SIGNS: Readonly<Partial<Record<string, string>>> = { msup: "^", msub: "_", mfrac: "/" };

function signOf(element: DomElement): string {
  if (element.localName === "sup") return /^[-+\u2212]?\d/.test(element.textContent.trim()) ? "^" : "";
  const parent = element.parentNode;
  const sign = SIGNS[parent?.localName ?? ""];
  return sign !== undefined && parent?.children[1] === element ? sign : "";
}

/** Commands that only formulas have. */
const TEX =
  /\\(?:begin|frac|operatorname|sum|int|prod|sqrt|mapsto|left|right|mathbb|mathrm|mathcal|alpha|beta|lambda|cdot|leq|geq|partial|infty)\b/;

/** Whether a picture's description is the source of a formula: signs and single letters, no words in a row. */
function isFormulaPicture(element: DomElement): boolean {
  if (element.localName !== "img") return false;
  const alt = element.getAttribute("alt") ?? "";
  const isMarked = /\b(?:math|tex|latex|formula|equation)\b|math/i.test(element.getAttribute("class") ?? "");
  if (!isMarked && !TEX.test(alt)) return false;
  const plain = alt.replaceAll(/\\[a-z]+/gi, " ");
  return alt !== "" && alt.length <= 500 && !/[\p{L}]{3,}[^\p{L}\\]+[\p{L}]{3,}/u.test(plain);
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
