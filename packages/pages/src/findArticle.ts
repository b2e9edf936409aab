import { Readability } from "@mozilla/readability";
import { type DomDocument, type DomElement, type DomText, isElement, isText } from "./dom.js";
import { openDocument } from "./pageDocument.js";

/** Readability counts characters; an article below this is more likely a page of another kind. */
const MIN_CHARACTERS = 250;
/** Where the article is a smaller part of the page's text than this, more was thrown away than a frame around it. */
const MIN_SHARE = 0.3;

/** Readability looks at most elements several times; pages of more are read whole. */
const MAX_PIECES = 8_000;
const MAX_DEPTH = 100;

const MARK = "data-assay-text";
/** What Readability takes for the author's line and puts elsewhere; it is part of what people read. */
const BYLINE = /byline|author|dateline|writtenby/i;

/**
 * Asks Readability which text is the page's article and takes all other out of the document. It works on a copy in which
 * every piece of text stands in an element with a number, because it moves, renames and parses anew what it is given, and
 * citations need the page's own nodes. Returns false, with the document as it was, where it finds no article or too
 * little of one.
 */
export function findArticle(document: DomDocument): boolean {
  const { body } = document;
  if (body.querySelectorAll("*").length > 2 * MAX_PIECES || depthOf(body) > MAX_DEPTH) return false;
  const texts = listTexts(body);
  if (countLetters(texts) < MIN_CHARACTERS || texts.length > MAX_PIECES) return false;
  const numbers = listKept(copyMarked(document, texts));
  if (numbers === undefined) return false;
  const kept = new Set(texts.filter((_, index) => numbers.has(String(index))));
  if (countLetters(kept) < MIN_SHARE * countLetters(texts)) return false;
  for (const text of listHeading(body)) kept.add(text);
  prune(body, kept);
  return true;
}

const depthOf = (element: DomElement): number => 1 + Math.max(0, ...element.children.map(depthOf));

function listTexts(element: DomElement): DomText[] {
  return element.childNodes.flatMap((node) => {
    if (isElement(node)) return listTexts(node);
    return isText(node) && node.data.trim() !== "" ? [node] : [];
  });
}

type ReadabilityDocument = ConstructorParameters<typeof Readability>[0];

function copyMarked(document: DomDocument, texts: readonly DomText[]): ReadabilityDocument {
  const marks = texts.map((text, index) => {
    const mark = document.createElement("span");
    mark.setAttribute(MARK, String(index));
    text.replaceWith(mark);
    mark.append(text);
    return mark;
  });
  const html = `<!DOCTYPE html><html><head></head>${document.body.outerHTML}</html>`;
  marks.forEach((mark, index) => {
    const text = texts[index];
    if (text) mark.replaceWith(text);
  });
  const copy = openDocument(html);
  for (const element of copy.body.querySelectorAll("[class],[id]"))
    for (const name of ["class", "id"])
      if (BYLINE.test(element.getAttribute(name) ?? "")) element.removeAttribute(name);
  return copy as unknown as ReadabilityDocument;
}

/** The numbers that are left in Readability's article; undefined when it finds none. */
function listKept(copy: ReadabilityDocument): ReadonlySet<string> | undefined {
  const reader = new Readability<DomElement>(copy, {
    charThreshold: MIN_CHARACTERS,
    disableJSONLD: true,
    serializer: (node: unknown) => node as DomElement,
  });
  const article = reader.parse();
  if (!article?.content || (article.length ?? 0) < MIN_CHARACTERS) return undefined;
  return new Set(
    [...article.content.querySelectorAll(`[${MARK}]`)].map((mark) => mark.getAttribute(MARK) ?? ""),
  );
}

const countLetters = (texts: Iterable<DomText>) =>
  [...texts].reduce((sum, { data }) => sum + data.replaceAll(/\s+/g, "").length, 0);

/** Readability takes out a heading that repeats the title; people see it all the same. */
function listHeading(body: DomElement): DomText[] {
  const [heading, ...more] = body.querySelectorAll("h1");
  return heading && more.length === 0 ? listTexts(heading) : [];
}

/** Elements that say something without any text: a break, or an empty cell in a row. */
const BARE = new Set(["br", "td", "th"]);

/** Keeps these texts and what holds them. Returns whether there was any. */
function prune(element: DomElement, kept: ReadonlySet<DomText>): boolean {
  let isKept = false;
  const bare: DomElement[] = [];
  for (const node of [...element.childNodes]) {
    if (isElement(node)) {
      if (prune(node, kept)) isKept = true;
      else if (BARE.has(node.localName)) bare.push(node);
      else node.remove();
    } else if (isText(node) && kept.has(node)) isKept = true;
    else if (isText(node) && node.data.trim() !== "") node.remove();
  }
  if (!isKept) for (const node of bare) node.remove();
  return isKept;
}
