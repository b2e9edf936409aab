import { boundHidden } from "./boundHidden.js";
import { boundMarkdown } from "./boundMarkdown.js";
import { decodePage } from "./decodePage.js";
import { type DomDocument, type DomElement, type DomNode, isElement } from "./dom.js";
import { findArticle } from "./findArticle.js";
import { openDocument } from "./pageDocument.js";
import { parseSourcePage } from "./parseSourcePage.js";
import { cleanTitle, readLanguage } from "./readHead.js";
import { readVisible } from "./readVisible.js";
import type { FetchedSheet } from "./sheetRequests.js";
import type { FetchedPage, ParsedPage } from "./types.js";
import { writeMarkdown } from "./writeMarkdown.js";

export type PageSource = Pick<FetchedPage, "bytes" | "charset" | "contentType" | "finalUrl">;

const MAX_LINKS = 200;
const MAX_LINK_TEXT_CHARACTERS = 200;
const MAX_LINK_CHARACTERS = 2_048;
/** A page with scripts and fewer letters than this shows its words only after the scripts ran. */
const MIN_LETTERS = 100;

/** Turns a page's bytes into normalized text, Markdown blocks that refer to it, and a list of hidden text. */
export function parsePage(
  { bytes, charset, contentType, finalUrl }: PageSource,
  sheets: readonly FetchedSheet[] = [],
): ParsedPage {
  const source = decodePage({ bytes, charset });
  return /html/.test(contentType)
    ? parseHtmlPage(source, finalUrl, sheets)
    : parseSourcePage(source, contentType);
}

function parseHtmlPage(html: string, finalUrl: string, sheets: readonly FetchedSheet[]): ParsedPage {
  const document = openDocument(html);
  const { documentElement, head, body } = document;
  const title = readTitle(document);
  const language = readLanguage(
    documentElement.getAttribute("lang") ?? documentElement.getAttribute("xml:lang"),
  );
  // Scripts of another type are data.
  const hasScripts = documentElement
    .listInside("script")
    .some((script) => /^$|javascript|ecmascript|module/i.test(script.getAttribute("type") ?? ""));
  const base = findBase(head);
  const baseUrl = URL.canParse(base, finalUrl) ? new URL(base, finalUrl).href : finalUrl;
  const visible = readVisible(document, { sheets: { base: baseUrl, sheets }, hasScripts });
  cleanAttributes(document, baseUrl);
  const isArticle = findArticle(document);
  const hidden = boundHidden(visible);
  const { blocks, isCut } = boundMarkdown(writeMarkdown(document, visible), visible.text);
  return {
    title,
    language,
    text: visible.text,
    blocks,
    extraction: isArticle ? "article" : "whole_body",
    isTruncated: visible.isTruncated || isCut,
    isScriptOnly: hasScripts && (visible.text.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS,
    links: listLinks(body),
    hidden,
    hiddenCount: Math.max(visible.hidden.length, hidden.length),
    isShownByScripts: visible.isShownByScripts,
    unreadStyles: {
      externalSheets: visible.unreadSheets,
      isIncomplete: visible.isIncomplete,
      doubts: listDoubts(body, visible.doubts),
    },
  };
}

/** The doubts about what the blocks show; text that is left out cannot mislead anyone. */
function listDoubts(element: DomElement, doubts: ReadonlyMap<DomNode, string>): string[] {
  const found = new Set<string>();
  const visit = (node: DomNode) => {
    const doubt = doubts.get(node);
    if (doubt !== undefined && /[\p{L}\p{N}]/u.test(node.textContent)) found.add(doubt);
    if (isElement(node)) node.childNodes.forEach(visit);
  };
  visit(element);
  return [...found].sort();
}

const findBase = (head: DomElement) =>
  head
    .listInside("base")
    .find((element) => element.hasAttribute("href"))
    ?.getAttribute("href") ?? "";

function readTitle({ head, body }: DomDocument): string | null {
  const [found] = [...head.listInside("title"), ...body.listInside("title"), ...body.listInside("h1")];
  return cleanTitle(found?.textContent ?? "");
}

/** Removes every attribute that Markdown has no use for; keeps link targets, the numbering of lists, the spans of cells and what finds the article. */
function cleanAttributes({ body }: DomDocument, baseUrl: string): void {
  for (const element of body.listInside()) {
    const { localName } = element;
    for (const { name, value } of [...element.attributes]) {
      if (name === "href" && localName === "a") {
        const target = URL.canParse(value, baseUrl) ? new URL(value, baseUrl) : undefined;
        const isKept =
          target && /^(https?|mailto):$/.test(target.protocol) && target.href.length <= MAX_LINK_CHARACTERS;
        if (isKept) element.setAttribute(name, target.href);
        else element.removeAttribute(name);
      } else if (!/^(start|colspan|rowspan|role|id|class|dir|lang|itemtype|rel|accesskey)$/.test(name))
        element.removeAttribute(name);
    }
  }
}

function listLinks(body: DomDocument["body"]): { text: string; url: string }[] {
  const targets = body.listInside("a").filter((element) => element.hasAttribute("href"));
  const links = targets.map((element) => ({
    text: element.textContent
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, MAX_LINK_TEXT_CHARACTERS)
      .replace(/\p{Cs}$/u, ""),
    url: element.getAttribute("href") ?? "",
  }));
  const byUrl = new Map(links.filter(({ text }) => text !== "").map((link) => [link.url, link]));
  return [...byUrl.values()].slice(0, MAX_LINKS);
}
