/** The part of the DOM that is used here; the types of browsers are not part of this package. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly parentNode: DomElement | null;
  readonly previousSibling: DomNode | null;
  readonly childNodes: readonly DomNode[];
  textContent: string;
  remove(): void;
  replaceWith(...nodes: DomNode[]): void;
  cloneNode(deep: boolean): DomNode;
}
export interface DomText extends DomNode {
  data: string;
}
export interface DomElement extends DomNode {
  readonly ownerDocument: DomDocument;
  readonly localName: string;
  readonly outerHTML: string;
  readonly children: readonly DomElement[];
  readonly firstChild: DomNode | null;
  readonly lastChild: DomNode | null;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  getAttribute(name: string): string | null;
  getAttributeNames(): readonly string[];
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  append(...nodes: DomNode[]): void;
  appendChild(node: DomNode): void;
  insertBefore(node: DomNode, before: DomNode | null): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): readonly DomElement[];
  matches(selector: string): boolean;
  cloneNode(deep: boolean): DomElement;
}
export interface DomDocument {
  /** Whether browsers show it in quirks mode. */
  isQuirks?: boolean;
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;
  readonly childNodes: readonly DomNode[];
  createElement(name: string): DomElement;
  createTextNode(data: string): DomText;
  createComment(data: string): DomNode;
}
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
export const COMMENT_NODE = 8;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT_NODE;
export const isText = (node: DomNode): node is DomText => node.nodeType === TEXT_NODE;
