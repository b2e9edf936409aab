import { Readability } from "@mozilla/readability";
import { type DomDocument, type DomElement, type DomText, isElement, isText } from "./dom.js";
import { openDocument } from "./pageDocument.js";

/** A shorter article is more likely a page of another kind. */
const MIN_CHARACTERS = 250;
/** The article's least share of the page's text: below it, more than a frame around the article was dropped. */
const MIN_SHARE = 0.3;

/** Readability visits most elements several times, so larger pages are read whole. */
const MAX_PIECES = 8_000;
const MAX_DEPTH = 100;

const MARK = "data-assay-text";
/** Classes and ids that Readability takes for a byline, which it removes although people read it. */
const BYLINE = /byline|author|dateline|writtenby/i;

/**
 * Lets Readability find the text of the page's article and removes all other text from the document. Readability moves,
 * renames and reparses its input, and citations need the page's own nodes, so it works on a copy in which every piece of
 * text is in a numbered element. Returns false, with the document unchanged, where it finds no article or too little of one.
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

/** The numbers of the texts in Readability's article; undefined when it finds none. */
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

/** Readability removes a heading that repeats the title, although people see it. */
function listHeading(body: DomElement): DomText[] {
  const [heading, ...more] = body.querySelectorAll("h1");
  return heading && more.length === 0 ? listTexts(heading) : [];
}

/** Elements that matter without any text: a line break, or an empty cell in a row. */
const BARE = new Set(["br", "td", "th"]);

/** Keeps these texts and the elements around them. Returns whether there were any. */
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
