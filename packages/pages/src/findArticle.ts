import { Readability } from "@mozilla/readability";
import { type DomDocument, type DomElement, type DomText, isElement, isText } from "./dom.js";
import { listTurningBars } from "./listTurningBars.js";
import { openDocument } from "./pageDocument.js";
import { BLOCK_NAMES } from "./readVisible.js";
import { listTableRows } from "./writeTable.js";

/** A shorter article is more likely a page of another kind. */
const MIN_LETTERS = 200;
/** The least share of the content's letters that Readability must keep; where it keeps less, it dropped more than a frame. */
const MIN_KEPT_SHARE = 0.6;
/** The same for a page that says that it is an article: comments and other articles around it may be longer. */
const MIN_NEWS_SHARE = 0.2;
/** A page of which less than a tenth is a frame, and that is no list of links, is all content. */
const MAX_BARE_SHARE = 0.9;
const MAX_LINK_SHARE = 0.3;
/** The least share of the letters outside of links that elements with names of frames must leave. */
const MIN_UNNAMED_SHARE = 0.2;
/** Readability visits most elements several times, so larger pages are cleaned only. */
const MAX_PIECES = 8_000;
const MAX_DEPTH = 100;

/** Classes and ids that Readability takes for a byline, which it removes although people read it. */
const BYLINE = /byline|author|dateline|writtenby/i;

/** Names, roles, classes and ids of what stands around the content of a page. */
const FRAME_NAMES = new Set(["nav", "footer", "dialog"]);
const FRAME_ROLES =
  /^(?:navigation|banner|contentinfo|search|complementary|menu|menubar|toolbar|dialog|alertdialog|tablist)$/;
const FRAME_WORD =
  /^(?:ads?|advert\w*|banner|breadcrumbs?|comments?|consent|cookies?|disqus|footer|gdpr|headerlink|masthead|menu|modal|nav|navbar|navigation|navigator|newsletter|outbrain|pager|pagination|paywall|popup|promo\w*|recommend\w*|related|relbar\w*|share|sharing|sidebar|signup|skip|social|sponsor\w*|sphinxsidebar|subscribe|subscription|taboola|teasers?|toolbar|topbar|trending|widgets?)$/;
/** Of these, what a page holds beside its content however long it is. */
const NEVER_CONTENT =
  /^(?:comments?|consent|cookies?|disqus|footer|gdpr|modal|newsletter|outbrain|popup|signup|taboola)$/;
const CONTENT_WORD = /^(?:admonition|article|body|content|document|footnotes?|main|note|post|story)$/;

/**
 * Finds the content of a page and removes all other text from the document. Returns false, with the document unchanged, where
 * the page has no frame around its content.
 */
export function findArticle(document: DomDocument): boolean {
  const { body } = document;
  const texts = listTexts(body);
  const root = findRoot(body) ?? body;
  const bars = listTurningBars(body);
  const inside = listContent(root, root !== body, bars);
  const isDeclared = root !== body && inside.size > 0;
  const least = Math.min(MIN_LETTERS, countLetters(texts) / 2);
  const content = isDeclared || countLetters(inside) >= least ? inside : new Set(texts);
  const inBars = new Set([...bars].flatMap(listTexts));
  const others = texts.filter((text) => !inBars.has(text));
  const isFramed = countLetters(content) < MAX_BARE_SHARE * countLetters(others) || isMostlyLinks(others);
  const isNews = isArticlePage(document);
  const article = isNews || (root === body && isFramed) ? readArticle(document, texts) : undefined;
  for (const text of inBars) article?.delete(text);
  const share = isNews ? MIN_NEWS_SHARE : MIN_KEPT_SHARE;
  const isEnough = article && countLetters(article) >= share * countLetters(content);
  const kept = isEnough ? article : content;
  if (kept.size === texts.length || (!isDeclared && countLetters(kept) < least)) return false;
  for (const text of listHeading(body)) kept.add(text);
  prune(body, kept);
  return true;
}

/** Whether the page says to search engines that it is one article. */
function isArticlePage({ head, body }: DomDocument): boolean {
  const metas = head
    .listInside("meta")
    .map((meta) => `${meta.getAttribute("property") ?? ""} ${meta.getAttribute("content") ?? ""}`);
  const data = head.listInside("script").map(({ textContent }) => textContent);
  return (
    metas.some((meta) => /^og:type\s+article$|^article:/i.test(meta.trim())) ||
    data.some((json) =>
      /"@type"\s*:\s*\[?\s*"(?:NewsArticle|BlogPosting|Article|ReportageNewsArticle)"/.test(json),
    ) ||
    body.listInside().filter((element) => ARTICLE_TYPE.test(element.getAttribute("itemtype") ?? ""))
      .length === 1
  );
}

/** Schema.org's names for an article, in the page's own elements. */
const ARTICLE_TYPE = /^https?:\/\/schema\.org\/(?:News|Report|Scholarly|Tech)?(?:Article|BlogPosting)\/?$/i;

/** The element that the page declares to be its content: its main part, else its only article with the page's heading. */
function findRoot(body: DomElement): DomElement | undefined {
  const [main, ...others] = body
    .listInside()
    .filter((element) => element.localName === "main" || element.getAttribute("role") === "main");
  if (main) return others.length === 0 ? main : undefined;
  const [article, ...more] = body.listInside("article");
  const isWhole = article !== undefined && more.length === 0 && article.listInside("h1").length > 0;
  return isWhole && countLetters(listTexts(article)) >= MIN_LETTERS ? article : undefined;
}

/** The texts of an element without its frame. Inside of declared content only what is no content by its name is a frame. */
function listContent(root: DomElement, isDeclared: boolean, bars: ReadonlySet<DomElement>): Set<DomText> {
  const prose = createProseCounter();
  const all = prose(root);
  const found = listUnframed(
    root,
    (element) =>
      bars.has(element) ||
      (isFrame(element, isDeclared) && !(isNamedFrame(element) && prose(element) > all / 2)),
  );
  // A page whose parts all have such names means something else by them.
  return countLetters(found) >= MIN_UNNAMED_SHARE * all
    ? found
    : listUnframed(root, (element) => isFrame(element, isDeclared) && !isNamedFrame(element));
}

function listUnframed(root: DomElement, isLeftOut: (element: DomElement) => boolean): Set<DomText> {
  const found = new Set<DomText>();
  const visit = (element: DomElement) => {
    for (const node of element.childNodes) {
      if (isText(node) && node.data.trim() !== "") found.add(node);
      else if (isElement(node) && !isLeftOut(node)) visit(node);
    }
  };
  visit(root);
  return found;
}

/** Counts the letters of an element that are in no link: a menu of links has none, a restaurant's menu has. */
function createProseCounter(): (element: DomElement) => number {
  const known = new Map<DomElement, number>();
  const count = (element: DomElement): number => {
    const found = known.get(element);
    if (found !== undefined) return found;
    let letters = 0;
    for (const node of element.childNodes)
      if (isText(node)) letters += node.data.replaceAll(/\s+/g, "").length;
      else if (isElement(node) && node.localName !== "a") letters += count(node);
    known.set(element, letters);
    return letters;
  };
  return count;
}

/** A frame by nothing but its name, which content has too: the element around an article may be its sidebar's neighbour. */
function isNamedFrame(element: DomElement): boolean {
  const words = namesOf(element);
  return (
    !FRAME_NAMES.has(element.localName) &&
    !FRAME_ROLES.test(element.getAttribute("role") ?? "") &&
    words.some((word) => FRAME_WORD.test(word)) &&
    !words.some((word) => NEVER_CONTENT.test(word))
  );
}

const namesOf = (element: DomElement) =>
  `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.toLowerCase().split(/[^a-z]+/);

function isFrame(element: DomElement, isInContent: boolean): boolean {
  const { localName } = element;
  if (FRAME_NAMES.has(localName) || FRAME_ROLES.test(element.getAttribute("role") ?? "")) return true;
  // A button's words are content where they are a heading or a sentence.
  if (localName === "button")
    return !/^h[1-6]$/.test(element.parentNode?.localName ?? "") && wordsIn(element) < 5;
  // On smaller elements such a name says something else: in code, `comment` is a comment.
  if (!/^(?:div|section|aside|header|form|ul|ol|dl|center|td)$/.test(localName)) return false;
  const words = namesOf(element);
  if (words.some((word) => FRAME_WORD.test(word)) && !words.some((word) => CONTENT_WORD.test(word)))
    return !isInTable(element);
  return !isInContent && localName === "header" && element.listInside("h1").length === 0;
}

/** What a cell of a table with rows and columns says is content, whatever its name is. */
function isInTable(element: DomElement): boolean {
  let table: DomElement | null = element;
  let isInCell = false;
  while (table !== null && table.localName !== "table") {
    isInCell ||= table !== element && /^t[dh]$/.test(table.localName);
    table = table.parentNode;
  }
  return isInCell && table !== null && listTableRows(table).length > 1;
}

function isMostlyLinks(texts: readonly DomText[]): boolean {
  const links = texts.filter((text) => isInLink(text.parentNode));
  return links.reduce((sum, { data }) => sum + data.length, 0) > MAX_LINK_SHARE * countLetters(texts);
}

const isInLink = (element: DomElement | null): boolean =>
  element !== null && (element.localName === "a" || isInLink(element.parentNode));

const wordsIn = ({ textContent }: DomElement) => textContent.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

const depthOf = (element: DomElement): number => 1 + Math.max(0, ...element.children.map(depthOf));

function listTexts(element: DomElement): DomText[] {
  const found: DomText[] = [];
  const visit = (parent: DomElement) => {
    for (const node of parent.childNodes) {
      if (isText(node) && node.data.trim() !== "") found.push(node);
      else if (isElement(node)) visit(node);
    }
  };
  visit(element);
  return found;
}

type ReadabilityDocument = ConstructorParameters<typeof Readability>[0];

/**
 * The texts in the article that Readability finds. It moves, renames and removes elements, and citations need the page's own
 * nodes, so it works on a copy whose texts know those they were copied from.
 */
function readArticle(document: DomDocument, texts: readonly DomText[]): Set<DomText> | undefined {
  if (texts.length > MAX_PIECES || countLetters(texts) < MIN_LETTERS || depthOf(document.body) > MAX_DEPTH)
    return undefined;
  return listKept(copyDocument(document));
}

function copyDocument({ body }: DomDocument): DomDocument {
  const copy = openDocument("");
  for (const node of body.childNodes) copy.body.appendChild(node.cloneNode(true));
  for (const element of copy.body.listInside())
    for (const name of ["class", "id"])
      if (BYLINE.test(element.getAttribute(name) ?? "")) element.removeAttribute(name);
  // In code, such names tell the kinds of its parts: Readability would remove what is called `comment`.
  for (const code of copy.body.listInside("pre"))
    for (const part of code.listInside()) for (const name of ["class", "id"]) part.removeAttribute(name);
  return copy;
}

/** The page's own texts in Readability's article; undefined when it finds none. */
function listKept(copy: DomDocument): Set<DomText> | undefined {
  const reader = new Readability<DomElement>(copy as unknown as ReadabilityDocument, {
    charThreshold: MIN_LETTERS,
    disableJSONLD: true,
    serializer: (node: unknown) => node as DomElement,
  });
  const article = reader.parse();
  if (!article?.content) return undefined;
  return new Set(listTexts(article.content).flatMap(({ source }) => source ?? []));
}

const countLetters = (texts: Iterable<DomText>) => {
  let letters = 0;
  for (const { data } of texts) letters += data.replaceAll(/\s+/g, "").length;
  return letters;
};

/** Readability removes a heading that repeats the title, although people see it. */
function listHeading(body: DomElement): DomText[] {
  const [heading, ...more] = body.listInside("h1");
  return heading && more.length === 0 ? listTexts(heading) : [];
}

/** A blank between two words may have an element of its own, as in coloured code. */
const isBlank = ({ textContent }: DomElement) => textContent !== "" && textContent.trim() === "";

/** Elements that matter without any text: a line break, or an empty cell in a row. */
const BARE = new Set(["br", "td", "th"]);

/** Keeps these texts and the elements around them. Returns whether there were any. */
function prune(element: DomElement, kept: ReadonlySet<DomText>): boolean {
  let isKept = false;
  const bare: DomElement[] = [];
  for (const node of [...element.childNodes]) {
    if (isElement(node)) {
      if (prune(node, kept)) isKept = true;
      else if (BARE.has(node.localName) || isBlank(node)) bare.push(node);
      // The words before and after a block are apart without it, too.
      else if (BLOCK_NAMES.has(node.localName)) node.replaceWith(node.ownerDocument.createElement("br"));
      else node.remove();
    } else if (isText(node) && kept.has(node)) isKept = true;
    else if (isText(node) && node.data.trim() !== "") node.remove();
  }
  if (!isKept) for (const node of bare) node.remove();
  return isKept;
}
