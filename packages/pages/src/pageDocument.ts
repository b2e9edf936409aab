import { Parser } from "htmlparser2";
import { parseHTML } from "linkedom";
import type { DomDocument, DomElement } from "./dom.js";
import { isQuirksPage } from "./isQuirksPage.js";
import { createOpenElements } from "./openElements.js";

/** Why a page cannot be turned into Markdown, in a sentence for the caller. */
export class PageRefusal extends Error {
  override readonly name = "PageRefusal";
}

/** Browsers stop nesting at 512 levels; below this, functions may recurse once per level. */
const MAX_DEPTH = 500;
/** Three times as many as in the longest real pages of 2 MiB. */
const MAX_ELEMENTS = 150_000;
/** Of one element: finding one takes a walk over those before it. */
const MAX_ATTRIBUTES = 500;

const HEAD_NAMES = new Set(["title", "meta", "link", "style", "base", "script", "noscript", "template"]);
const EMPTY = "<!DOCTYPE html><html><head></head><body></body></html>";

/**
 * Parses HTML of any form into a document with every visible node in one body, as browsers do: anything that a head cannot
 * contain ends it. Throws `PageRefusal`.
 */
export function openDocument(source: string): DomDocument {
  const html = endComments(source);
  verifyShape(html);
  const document = parseHTML(EMPTY).document as unknown as DomDocument;
  const { documentElement, head, body } = document;
  const isQuirks = isQuirksPage(html);
  let elements = 0;
  const open = createOpenElements(body, (depth) => {
    elements += 1;
    verifyCounts(elements, depth);
  });
  let isInBody = false;
  /** The tag that is being opened, while the parser closes the elements that it ends. */
  let opening = "";
  /** The parser reports text in pieces, one for each character reference. */
  let text = "";

  const parentFor = (belongsInHead: boolean): DomElement => {
    const inner = open.inner();
    if (inner !== null) return inner;
    if (!belongsInHead) isInBody = true;
    return isInBody ? body : head;
  };
  const endText = () => {
    if (text === "") return;
    const isBlank = text.trim() === "";
    if (!isBlank) open.reopen(null);
    const parent = parentFor(!isInBody && isBlank);
    parent.appendChild(document.createTextNode(text));
    text = "";
  };
  const comment = (data: string) => {
    endText();
    parentFor(true).appendChild(document.createComment(data));
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      endText();
      opening = "";
      const own = { html: documentElement, head, body }[name];
      if (name === "body") isInBody = true;
      const element = own ?? document.createElement(name);
      setAttributes(element, attributes);
      if (!(isQuirks && name === "table")) open.prepare(name);
      open.reopen(name);
      if (!own) parentFor(HEAD_NAMES.has(name)).appendChild(element);
      open.push(name, own ? null : element);
    },
    ontext(data) {
      text += data;
    },
    oncomment: comment,
    // `<!…>` and `<?…>` are comments to a browser; of a doctype only its identifiers may contain words.
    onprocessinginstruction(name, data) {
      if (name !== "!doctype" || /["']/.test(data)) comment(data);
    },
    onclosetag(name) {
      endText();
      // In quirks mode a paragraph continues around a table (HTML, section 13.2.6.4.7).
      if (isQuirks && opening === "table" && name === "p") open.keep();
      else open.pop(name);
    },
  });
  // The parser does not report the end tags of what it has closed already, nor what closes a paragraph.
  const openTag = parser.onopentagname.bind(parser);
  parser.onopentagname = (start, end) => {
    opening = html.slice(start, end).toLowerCase();
    openTag(start, end);
  };
  const closeTag = parser.onclosetag.bind(parser);
  parser.onclosetag = (start, end) => {
    endText();
    if (open.close(html.slice(start, end).toLowerCase())) parser.startIndex = end + 1;
    else closeTag(start, end);
  };
  parser.end(html);
  endText();
  for (const words of listClosingWords(html)) body.appendChild(document.createComment(words));
  document.isQuirks = isQuirks;
  document.reopened = open.reopened;
  return document;
}

/** A comment also ends at `--!>` (HTML, section 13.2.5.52), which the parser does not support. */
function endComments(html: string): string {
  let ended = "";
  let from = 0;
  for (let at = html.indexOf("<!--"); at >= 0; at = html.indexOf("<!--", from)) {
    const end = /--!?>/g;
    // `<!-->` is a complete comment, `<!--!>` only the beginning of one.
    end.lastIndex = at + (html.startsWith("!", at + 4) ? 4 : 2);
    const found = end.exec(html);
    if (found === null) break;
    ended += `${html.slice(from, found.index)}-->`;
    from = end.lastIndex;
  }
  return ended + html.slice(from);
}

function verifyCounts(elements: number, depth: number): void {
  if (elements > MAX_ELEMENTS) throw new PageRefusal(`It has more than ${MAX_ELEMENTS} elements.`);
  if (depth > MAX_DEPTH) throw new PageRefusal(`Its elements are nested deeper than ${MAX_DEPTH} levels.`);
}

/** Refuses a page at the tag that makes it too deep or too large. Reading tags is twenty times as fast as building elements. */
function verifyShape(html: string): void {
  let elements = 0;
  let depth = 0;
  const parser = new Parser({
    onopentagname() {
      elements += 1;
      depth += 1;
      verifyCounts(elements, depth);
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.end(html);
}

/** The first value of an attribute counts: a second `body` tag only adds attributes. */
function setAttributes(element: DomElement, attributes: Readonly<Record<string, string>>): void {
  const names = Object.keys(attributes);
  if (names.length > MAX_ATTRIBUTES)
    throw new PageRefusal(`One of its elements has more than ${MAX_ATTRIBUTES} attributes.`);
  for (const name of names)
    if (!element.hasAttribute(name)) element.setAttribute(name, attributes[name] ?? "");
}

/** Fewer characters hold no message. */
const MIN_CLOSING_CHARACTERS = 8;

/** Words inside closing tags, such as `</p some words>`, which no browser shows and no parser reports. */
function listClosingWords(html: string): string[] {
  const found: string[] = [];
  let end = 0;
  for (let at = html.indexOf("</"); at >= 0; at = html.indexOf("</", end)) {
    end = html.indexOf(">", at);
    if (end < 0) break;
    const words = html
      .slice(at + 2, end)
      .replace(/^[a-z][^\s/>]*/i, "")
      .trim();
    if (words.length >= MIN_CLOSING_CHARACTERS) found.push(words);
  }
  return found;
}

/** The text of a piece of HTML with its comments and labels, read without building a document. */
export function readMarkupText(html: string): string {
  const parts: string[] = [];
  const parser = new Parser({
    ontext: (data) => void parts.push(data),
    oncomment: (data) => void parts.push(data),
    onattribute: (name, value) => {
      if (/^(alt|title|aria-label)$/.test(name)) parts.push(value);
    },
  });
  parser.end(html);
  return parts.join("");
}
