import { html as HTML, parse, type TreeAdapter, type TreeAdapterTypeMap } from "parse5";
import {
  COMMENT_NODE,
  DomAttribute,
  DomComment,
  DomDocument,
  DomElement,
  type DomNode,
  DomText,
  isElement,
  isText,
} from "./dom.js";

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

/** Parses HTML of any form into a document, as browsers with scripts do. Throws `PageRefusal`. */
export function openDocument(html: string): DomDocument {
  verifyTags(html);
  const document = new DomDocument();
  parse(html, { scriptingEnabled: true, treeAdapter: createTreeAdapter(document) });
  // Parsing moves wrongly nested elements after they were counted.
  verifyDepth(document.documentElement);
  const { body, documentElement } = document;
  // Comments outside of head and body are read with the body's.
  for (const node of [...document.root.childNodes, ...documentElement.childNodes])
    if (node.nodeType === COMMENT_NODE) body.appendChild(node);
  for (const words of listClosingWords(html)) body.appendChild(new DomComment(words));
  return document;
}

type Tree = TreeAdapterTypeMap<
  DomNode,
  DomElement,
  DomNode,
  DomElement,
  DomElement,
  DomElement,
  DomNode,
  DomText,
  DomElement,
  DomNode
>;

/** Builds the nodes of a document, and refuses a page at the tag that makes it too deep or too large. */
function createTreeAdapter(document: DomDocument): TreeAdapter<Tree> {
  const { root } = document;
  let elements = 0;
  let depth = 0;
  let mode = HTML.DOCUMENT_MODE.NO_QUIRKS;

  const appendText = (parent: DomElement, text: string, last: DomNode | null, before: DomNode | null) => {
    if (last !== null && isText(last)) last.data += text;
    else parent.insertBefore(new DomText(text), before);
  };
  const addAttributes = (element: DomElement, attributes: readonly Attribute[]) => {
    if (attributes.length > MAX_ATTRIBUTES)
      throw new PageRefusal(`One of its elements has more than ${MAX_ATTRIBUTES} attributes.`);
    for (const { name, prefix, value } of attributes) {
      const whole = prefix ? `${prefix}:${name}` : name;
      // The first value counts: a second `body` tag only adds attributes.
      if (!element.hasAttribute(whole)) element.attributes.push(new DomAttribute(whole, value));
    }
  };

  return {
    createDocument: () => root,
    createDocumentFragment: () => document.createElement("template"),
    createElement(name, namespace, attributes) {
      elements += 1;
      if (elements > MAX_ELEMENTS) throw tooLarge();
      const element = new DomElement(name, document, namespace === HTML.NS.HTML ? null : namespace);
      addAttributes(element, attributes);
      return element;
    },
    createCommentNode: (data) => new DomComment(data),
    createTextNode: (data) => new DomText(data),
    appendChild: (parent, node) => parent.appendChild(node),
    insertBefore: (parent, node, before) => parent.insertBefore(node, before),
    // A template's content stays inside it: it is read and never shown.
    setTemplateContent() {},
    getTemplateContent: (template) => template,
    setDocumentType(_document, _name, publicId, systemId) {
      // Of a doctype only its identifiers may contain words.
      if (publicId !== "" || systemId !== "") root.appendChild(new DomComment(`${publicId} ${systemId}`));
    },
    setDocumentMode(_document, found) {
      mode = found;
      document.isQuirks = mode === HTML.DOCUMENT_MODE.QUIRKS;
    },
    getDocumentMode: () => mode,
    detachNode: (node) => node.remove(),
    insertText: (parent, text) => appendText(parent, text, parent.lastChild, null),
    insertTextBefore: (parent, text, before) => appendText(parent, text, before.previousSibling, before),
    adoptAttributes: addAttributes,
    getFirstChild: (node) => node.firstChild,
    getChildNodes: (node) => [...node.childNodes],
    getParentNode: (node) => node.parentNode,
    getAttrList: (element) => element.attributes.map(({ name, value }) => ({ name, value })),
    getTagName: (element) => element.localName,
    getNamespaceURI: (element) => (element.namespace ?? HTML.NS.HTML) as HTML.NS,
    getTextNodeContent: (node) => node.data,
    getCommentNodeContent: (node) => node.textContent,
    getDocumentTypeNodeName: () => "html",
    getDocumentTypeNodePublicId: () => "",
    getDocumentTypeNodeSystemId: () => "",
    isTextNode: (node): node is DomText => isText(node),
    isCommentNode: (node): node is DomNode => node.nodeType === COMMENT_NODE,
    isDocumentTypeNode: (_node): _node is DomNode => false,
    isElementNode: (node): node is DomElement => isElement(node),
    setNodeSourceCodeLocation() {},
    getNodeSourceCodeLocation: () => null,
    updateNodeSourceCodeLocation() {},
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw tooDeep();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

interface Attribute {
  readonly name: string;
  readonly prefix?: string | undefined;
  readonly value: string;
}

/** Counting tags takes no memory, unlike building their elements. */
function verifyTags(html: string): void {
  const tag = /<[a-z]/gi;
  for (let count = 0; tag.test(html); count += 1) if (count >= MAX_ELEMENTS) throw tooLarge();
}

const tooLarge = () => new PageRefusal(`It has more than ${MAX_ELEMENTS} elements.`);
const tooDeep = () => new PageRefusal(`Its elements are nested deeper than ${MAX_DEPTH} levels.`);

function verifyDepth(root: DomElement): void {
  let level: readonly DomElement[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw tooDeep();
    level = level.flatMap(({ children }) => children);
  }
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

/** The text of a piece of HTML with its comments and labels. */
export function readMarkupText(html: string): string {
  const parts: string[] = [];
  const visit = (node: DomNode) => {
    if (!isElement(node)) parts.push(node.textContent);
    else {
      for (const name of ["alt", "title", "aria-label"]) parts.push(node.getAttribute(name) ?? "");
      node.childNodes.forEach(visit);
    }
  };
  visit(openDocument(html).documentElement);
  return parts.join("");
}
