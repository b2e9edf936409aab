import type { DomElement } from "./dom.js";

/** Words of links that turn a book's pages. */
const TURN =
  /^(?:next|prev|previous|up|top|home|contents|index|back|first|last|forward|backward|fast forward|fast backward|table of contents)$/;
const TURN_WORDS = new RegExp(TURN.source.replaceAll(/\^|\$/g, "\\b"), "g");
const TURN_RELATION = /(?:^|\s)(?:next|prev|previous|up)(?:\s|$)/i;
const TURN_KEY = /^[npu]$/i;

/** Longer parts say something besides. */
const MAX_CHARACTERS = 400;
/** Of titles of chapters beside the links, in letters. */
const MAX_TITLES = 100;
/** A page has a few such bars. */
const MAX_LINKS = 60;

/**
 * The lines and tables that hold nothing but links to the next page of a book, the one before and its contents, as manuals have them
 * at their top and bottom. Each is the largest such part.
 */
export function listTurningBars(body: DomElement): ReadonlySet<DomElement> {
  const bars = new Set(body.listInside("div", "table").filter(isNamed));
  for (const link of body.listInside("a").filter(turns).slice(0, MAX_LINKS)) {
    let bar: DomElement | undefined;
    let at = link.parentNode;
    while (at !== null && at !== body && at.textContent.trim().length <= MAX_CHARACTERS) {
      if (isBar(at)) bar = at;
      at = at.parentNode;
    }
    if (bar !== undefined) bars.add(bar);
  }
  return bars;
}

const isNamed = (element: DomElement) =>
  /(?:^|\s)nav(?:header|footer|path)(?:\s|$)/i.test(
    `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`,
  ) && element.textContent.trim().length <= MAX_CHARACTERS;

const isMarked = (link: DomElement) =>
  TURN_RELATION.test(link.getAttribute("rel") ?? "") || TURN_KEY.test(link.getAttribute("accesskey") ?? "");
const turns = (link: DomElement) => isMarked(link) || TURN.test(plain(link.textContent));
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

function isBar(element: DomElement): boolean {
  const links = element.listInside("a");
  const linked = links.map(({ textContent }) => plain(textContent)).join(" ");
  const letters = (text: string) => text.replaceAll(TURN_WORDS, "").replaceAll(" ", "").length;
  const titles = letters(plain(element.textContent)) - letters(linked);
  if (links.some(isMarked)) return titles <= MAX_TITLES && element.listInside("p", "pre", "li").length < 2;
  return links.length > 1 && titles === 0 && links.every((link) => TURN.test(plain(link.textContent)));
}
