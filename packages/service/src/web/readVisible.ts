import { findAgentAddress, MAX_PAGE_TEXT_CHARACTERS } from "@assay/rules";
import { listSmuggled, removeInvisible } from "./invisibleCharacters.js";
import {
  COMMENT_NODE,
  type DomDocument,
  type DomElement,
  type DomNode,
  type DomText,
  isElement,
  isText,
} from "./pageDocument.js";
import { createLooks } from "./styles/createLooks.js";
import { FIRST_LOOK, findDoubt, findReason, type HiddenKind, type Look } from "./styles/look.js";
import type { HiddenText, UnreadStyles } from "./types.js";

/** Range in the page text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface VisiblePage {
  /** Blocks apart by an empty line, lines within one by a line end, cells by a tab, words by one space. */
  readonly text: string;
  /** Where the words of each text node stand in the text. */
  readonly ranges: ReadonlyMap<DomNode, TextRange>;
  readonly isTruncated: boolean;
  readonly hidden: readonly HiddenText[];
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

/** Rank of what stands between two pieces of text; the higher one wins. */
const SEPARATORS = ["", " ", "\t", "\n", "\n\n"] as const;
const [SPACE, CELL, LINE, BLOCK] = [1, 2, 3, 4] as const;

/** Reads a page as people see it, and takes everything else out of the document. */
export function readVisible(document: DomDocument): VisiblePage {
  const looks = createLooks(document);
  const writer = createTextWriter();
  const hidden = createHiddenList();
  const unseen: DomNode[] = [];
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
    for (const said of listSmuggled(node.data)) hidden.addWhole("invisible_characters", said);
    node.data = removeInvisible(node.data);
    if (!writer.write(node, isPre)) unseen.push(node);
    else if (writer.rangeOf(node)) hidden.endPiece();
  };

  const visit = (parent: DomElement, look: Look, isPre: boolean) => {
    for (const node of [...parent.childNodes]) {
      if (isText(node)) visitText(node, look, isPre);
      else if (!isElement(node) || DROPPED_NAMES.has(node.localName)) {
        noteAside(node, hidden);
        unseen.push(node);
      } else visitElement(node, look, isPre);
    }
  };

  const visitElement = (element: DomElement, around: Look, isPre: boolean) => {
    const look = looks.inside(around, element);
    noteAttributes(element, hidden);
    if (findReason(look) !== null && isSkipLink(element)) {
      unseen.push(element);
      return;
    }
    const separator = separatorOf(element);
    writer.separate(separator);
    visit(element, look, isPre || element.localName === "pre");
    writer.separate(separator);
    if (look.buriedBy !== null) unseen.push(element);
  };

  const root = looks.inside(FIRST_LOOK, document.documentElement);
  visit(document.body, looks.inside(root, document.body), false);
  for (const node of unseen) node.remove();
  const { externalSheets, isIncomplete } = looks;
  return {
    ...writer.finish(),
    hidden: hidden.finish(),
    unreadStyles: { externalSheets, isIncomplete, doubts: [...doubts].sort() },
  };
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

/** Places that people are not shown, which is nothing unusual unless what they hold commands a machine. */
function noteAside(node: DomNode, hidden: HiddenList): void {
  const isProse =
    node.nodeType === COMMENT_NODE || (isElement(node) && !/^(script|style)$/.test(node.localName));
  if (!isProse) return;
  const attributes = isElement(node) ? listSpokenAttributes(node) : [];
  for (const said of [node.textContent, ...attributes])
    if (findAgentAddress(said) !== null) hidden.addWhole("comment_like", said);
}

function noteAttributes(element: DomElement, hidden: HiddenList): void {
  for (const said of listSpokenAttributes(element))
    if (findAgentAddress(said) !== null) hidden.addWhole("comment_like", said);
}

const listSpokenAttributes = (element: DomElement) =>
  ["alt", "title", "aria-label", "aria-description", "placeholder", "content", "value", "summary"].flatMap(
    (name) => element.getAttribute(name) ?? [],
  );

interface TextWriter {
  separate(rank: number): void;
  /** False when the text is full: nothing of the node, or of any later one, is part of it. */
  write(node: DomText, isPre: boolean): boolean;
  rangeOf(node: DomNode): TextRange | undefined;
  finish(): Pick<VisiblePage, "text" | "ranges" | "isTruncated">;
}

function createTextWriter(): TextWriter {
  const ranges = new Map<DomNode, TextRange>();
  let text = "";
  let rank = 0;
  /** Blanks of preformatted text that are part of it if more of it follows. */
  let blanks = "";
  let isTruncated = false;

  function put(node: DomText, said: string, separator: string): boolean {
    const start = text.length + separator.length;
    if (isTruncated || start + said.length > MAX_PAGE_TEXT_CHARACTERS) {
      isTruncated = true;
      return false;
    }
    text += separator + said;
    ranges.set(node, { start, end: text.length });
    rank = 0;
    return true;
  }

  return {
    separate(given) {
      rank = Math.max(rank, given);
    },
    write(node, isPre) {
      const plain = node.data.replaceAll(/\r\n?/g, "\n").replaceAll(/[\u00a0\u2007\u202f]/g, " ");
      const [, lead = "", said = "", tail = ""] = /^(\s*)(.*?)(\s*)$/s.exec(plain) ?? [];
      if (isPre && rank < LINE) {
        if (said === "") blanks += lead;
        else if (!put(node, said, blanks + lead)) return false;
        else blanks = tail;
        return true;
      }
      if (!isPre && lead !== "") rank = Math.max(rank, SPACE);
      if (said === "") return true;
      const separator = text === "" ? "" : (SEPARATORS[rank] ?? "");
      const written = isPre
        ? put(node, lead.replace(/^.*\n/s, "") + said, separator)
        : put(node, said.replaceAll(/\s+/g, " "), separator);
      blanks = isPre ? tail : "";
      if (!isPre && tail !== "") rank = SPACE;
      return written;
    },
    rangeOf: (node) => ranges.get(node),
    finish: () => ({ text, ranges, isTruncated }),
  };
}

interface HiddenList {
  /** Joined to what was hidden just before in the same way: a sentence may be spread over elements. */
  add(kind: HiddenKind, text: string): void;
  addWhole(kind: HiddenKind, text: string): void;
  endPiece(): void;
  finish(): HiddenText[];
}

function createHiddenList(): HiddenList {
  const pieces: { kind: HiddenKind; parts: string[] }[] = [];
  let isOpen = false;
  return {
    add(kind, text) {
      if (text.trim() === "") return;
      const last = pieces.at(-1);
      if (isOpen && last?.kind === kind) last.parts.push(text);
      else pieces.push({ kind, parts: [text] });
      isOpen = true;
    },
    addWhole(kind, text) {
      pieces.push({ kind, parts: [text] });
      isOpen = false;
    },
    endPiece() {
      isOpen = false;
    },
    finish: () =>
      pieces
        .map(({ kind, parts }) => ({
          kind,
          text: removeInvisible(parts.join(" ")).replaceAll(/\s+/g, " ").trim(),
        }))
        // A dot or an arrow between two links says nothing.
        .filter(({ text }) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3),
  };
}
