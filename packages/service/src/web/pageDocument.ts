import { parseHTML } from "linkedom";
import { isQuirksPage } from "./isQuirksPage.js";

/** What is used of the DOM; the types of browsers are not part of this package. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly parentNode: DomElement | null;
  readonly childNodes: readonly DomNode[];
  textContent: string;
  remove(): void;
  replaceWith(node: DomNode): void;
  cloneNode(deep: boolean): DomNode;
}
export interface DomText extends DomNode {
  data: string;
}
export interface DomElement extends DomNode {
  readonly localName: string;
  readonly outerHTML: string;
  readonly children: readonly DomElement[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  append(...nodes: DomNode[]): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): readonly DomElement[];
  matches(selector: string): boolean;
  cloneNode(deep: boolean): DomElement;
}
export interface DomDocument {
  /** Shown by the rules of old browsers. */
  isQuirks?: boolean;
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;
  readonly childNodes: readonly DomNode[];
  createElement(name: string): DomElement;
}
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
export const COMMENT_NODE = 8;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT_NODE;
export const isText = (node: DomNode): node is DomText => node.nodeType === TEXT_NODE;

/** Why a page cannot be made into Markdown, in a sentence for whoever asked for it. */
export class PageRefusal extends Error {
  override readonly name = "PageRefusal";
}

/** Browsers stop nesting at 512; everything here may therefore call itself once per level. */
const MAX_DEPTH = 500;

const HEAD_ONLY = new Set(["title", "meta", "link", "style", "base", "script", "noscript", "template"]);
const EMPTY = "<!DOCTYPE html><html><head></head><body></body></html>";

/** Parses HTML of any shape into a document whose every visible node is in its one body. */
export function openDocument(html: string): DomDocument {
  const parsed = parseHTML(html).document as unknown as DomDocument;
  const document = parseHTML(EMPTY).document as unknown as DomDocument;
  const { documentElement, head, body } = document;
  let isInBody = false;
  const place = (nodes: readonly DomNode[]) => {
    for (const node of [...nodes]) {
      const name = isElement(node) ? node.localName : "";
      if (!isElement(node)) {
        // A comment or stray text; a doctype says nothing to a reader.
        if (isText(node) || node.nodeType === COMMENT_NODE) body.append(node);
      } else if (name === "html") {
        copyAttributes(node, documentElement);
        place(node.childNodes);
      } else if (name === "head") {
        head.append(...node.childNodes);
      } else if (name === "body") {
        isInBody = true;
        copyAttributes(node, body);
        body.append(...node.childNodes);
      } else if (!isInBody && HEAD_ONLY.has(name)) {
        head.append(node);
      } else {
        isInBody = true;
        body.append(node);
      }
    }
  };
  place(parsed.childNodes);
  document.isQuirks = isQuirksPage(html);
  verifyDepth(body);
  return document;
}

function copyAttributes(from: DomElement, to: DomElement): void {
  for (const { name, value } of [...from.attributes])
    if (!to.hasAttribute(name)) to.setAttribute(name, value);
}

function verifyDepth(root: DomElement): void {
  let level: readonly DomElement[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new PageRefusal(`Its elements are nested deeper than ${MAX_DEPTH} levels.`);
    level = level.flatMap((element) => [...element.children]);
  }
}
