/**
 * The part of the DOM that this package, Readability and Turndown use. A page has tens of thousands of nodes, and the general
 * libraries make each of them a target of events with live lists, which takes more time than everything else that is done here.
 */
export type DomNode = DomElement | DomText | DomComment;

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
export const COMMENT_NODE = 8;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT_NODE;
export const isText = (node: DomNode): node is DomText => node.nodeType === TEXT_NODE;

const NO_NODES: readonly DomNode[] = [];

abstract class LinkedNode {
  abstract readonly nodeType: number;
  parentNode: DomElement | null = null;
  previousSibling: DomNode | null = null;
  nextSibling: DomNode | null = null;

  remove(): void {
    this.parentNode?.removeChild(this as unknown as DomNode);
  }

  replaceWith(...nodes: DomNode[]): void {
    const parent = this.parentNode;
    if (parent === null) return;
    for (const node of nodes) parent.insertBefore(node, this as unknown as DomNode);
    this.remove();
  }
}

abstract class CharacterNode extends LinkedNode {
  constructor(public data: string) {
    super();
  }

  get textContent(): string {
    return this.data;
  }

  get nodeValue(): string {
    return this.data;
  }

  /** Text has no nodes inside; Readability and Turndown ask all the same. */
  get firstChild(): null {
    return null;
  }
  get childNodes(): readonly DomNode[] {
    return NO_NODES;
  }
}

export class DomText extends CharacterNode {
  readonly nodeType = TEXT_NODE;
  readonly nodeName = "#text";
  /** The page's own text of which this is a copy. */
  source: DomText | null = null;

  cloneNode(): DomText {
    const copy = new DomText(this.data);
    copy.source = this.source ?? this;
    return copy;
  }
}

export class DomComment extends CharacterNode {
  readonly nodeType = COMMENT_NODE;
  readonly nodeName = "#comment";

  cloneNode(): DomComment {
    return new DomComment(this.data);
  }
}

export class DomAttribute {
  constructor(
    readonly name: string,
    public value: string,
  ) {}

  cloneNode(): DomAttribute {
    return new DomAttribute(this.name, this.value);
  }
}

export class DomElement extends LinkedNode {
  readonly nodeType = ELEMENT_NODE;
  readonly attributes: DomAttribute[] = [];
  firstChild: DomNode | null = null;
  lastChild: DomNode | null = null;
  /** Lists of the nodes inside, made when they are asked for and dropped when a node comes or goes. */
  #childNodes: readonly DomNode[] | null = null;
  #children: readonly DomElement[] | null = null;

  constructor(
    readonly localName: string,
    readonly ownerDocument: DomDocument,
    /** Of SVG and MathML; null for HTML. */
    readonly namespace: string | null = null,
  ) {
    super();
  }

  get nodeName(): string {
    return this.localName.toUpperCase();
  }
  get tagName(): string {
    return this.nodeName;
  }
  get className(): string {
    return this.getAttribute("class") ?? "";
  }
  // Readability names what it makes. In a bundle it runs in strict mode, where writing to a getter throws.
  set className(value: string) {
    this.setAttribute("class", value);
  }
  get id(): string {
    return this.getAttribute("id") ?? "";
  }
  set id(value: string) {
    this.setAttribute("id", value);
  }

  get childNodes(): readonly DomNode[] {
    if (this.#childNodes !== null) return this.#childNodes;
    const list: DomNode[] = [];
    for (let node = this.firstChild; node !== null; node = node.nextSibling) list.push(node);
    this.#childNodes = list;
    return list;
  }
  get children(): readonly DomElement[] {
    this.#children ??= this.childNodes.filter(isElement);
    return this.#children;
  }
  get firstElementChild(): DomElement | null {
    return this.children[0] ?? null;
  }
  get lastElementChild(): DomElement | null {
    return this.children.at(-1) ?? null;
  }
  get nextElementSibling(): DomElement | null {
    return findElement(this.nextSibling, (node) => node.nextSibling);
  }
  get previousElementSibling(): DomElement | null {
    return findElement(this.previousSibling, (node) => node.previousSibling);
  }

  get textContent(): string {
    const { firstChild } = this;
    if (firstChild !== null && firstChild.nextSibling === null && isText(firstChild)) return firstChild.data;
    let text = "";
    const visit = (element: DomElement) => {
      for (let node = element.firstChild; node !== null; node = node.nextSibling)
        if (isText(node)) text += node.data;
        else if (isElement(node)) visit(node);
    };
    visit(this);
    return text;
  }

  /** Readability saves a page in order to start again. What it saves is the number of a copy, which knows the page's own texts. */
  get innerHTML(): string {
    return this.ownerDocument.save(this.cloneNode(true));
  }
  set innerHTML(saved: string) {
    while (this.lastChild !== null) this.removeChild(this.lastChild);
    const copy = this.ownerDocument.findSaved(saved)?.cloneNode(true);
    for (const node of copy?.childNodes ?? []) this.appendChild(node);
  }

  getAttribute(name: string): string | null {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value;
    return null;
  }
  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }
  setAttribute(name: string, value: string): void {
    const known = this.attributes.find((attribute) => attribute.name === name);
    if (known) known.value = value;
    else this.attributes.push(new DomAttribute(name, value));
  }
  setAttributeNode({ name, value }: DomAttribute): void {
    this.setAttribute(name, value);
  }
  removeAttribute(name: string): void {
    const index = this.attributes.findIndex((attribute) => attribute.name === name);
    if (index >= 0) this.attributes.splice(index, 1);
  }

  insertBefore<Node extends DomNode>(node: Node, before: DomNode | null): Node {
    node.remove();
    const previous = before === null ? this.lastChild : before.previousSibling;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = before;
    if (previous === null) this.firstChild = node;
    else previous.nextSibling = node;
    if (before === null) this.lastChild = node;
    else before.previousSibling = node;
    this.#forgetLists();
    return node;
  }
  appendChild<Node extends DomNode>(node: Node): Node {
    return this.insertBefore(node, null);
  }
  removeChild<Node extends DomNode>(node: Node): Node {
    const { previousSibling, nextSibling } = node;
    if (previousSibling === null) this.firstChild = nextSibling;
    else previousSibling.nextSibling = nextSibling;
    if (nextSibling === null) this.lastChild = previousSibling;
    else nextSibling.previousSibling = previousSibling;
    node.parentNode = null;
    node.previousSibling = null;
    node.nextSibling = null;
    this.#forgetLists();
    return node;
  }
  replaceChild<Node extends DomNode>(node: DomNode, old: Node): Node {
    this.insertBefore(node, old);
    return this.removeChild(old);
  }

  cloneNode(isDeep = false): DomElement {
    const copy = new DomElement(this.localName, this.ownerDocument, this.namespace);
    for (const attribute of this.attributes) copy.attributes.push(attribute.cloneNode());
    if (isDeep)
      for (let node = this.firstChild; node !== null; node = node.nextSibling)
        copy.appendChild(node.cloneNode(true));
    return copy;
  }

  /** The elements inside with one of these names, or all of them, in the document's order. */
  listInside(...names: readonly string[]): DomElement[] {
    const found: DomElement[] = [];
    const [only] = names;
    const isWanted =
      names.length < 2
        ? ({ localName }: DomElement) => only === undefined || localName === only
        : ({ localName }: DomElement) => names.includes(localName);
    const visit = (parent: DomElement) => {
      for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
        if (!isElement(node)) continue;
        if (isWanted(node)) found.push(node);
        if (node.firstChild !== null) visit(node);
      }
    };
    visit(this);
    return found;
  }
  getElementsByTagName(name: string): DomElement[] {
    return name === "*" ? this.listInside() : this.listInside(name.toLowerCase());
  }
  /** As Readability uses it: with names that commas separate. */
  querySelectorAll(names: string): DomElement[] {
    return names === "*" ? this.listInside() : this.listInside(...names.toLowerCase().split(","));
  }

  #forgetLists(): void {
    this.#childNodes = null;
    this.#children = null;
  }
}

export class DomDocument {
  /** Whether browsers show it in quirks mode. */
  isQuirks = false;
  /** The element that holds the page's `html` element, and comments beside it. */
  readonly root: DomElement = new DomElement("#document", this);
  readonly #saved: DomElement[] = [];

  get documentElement(): DomElement {
    return this.#find(this.root, "html");
  }
  get head(): DomElement {
    return this.#find(this.documentElement, "head");
  }
  get body(): DomElement {
    return this.#find(this.documentElement, "body");
  }
  get firstChild(): DomNode | null {
    return this.root.firstChild;
  }
  getElementsByTagName(name: string): DomElement[] {
    return this.root.getElementsByTagName(name);
  }
  createElement(name: string): DomElement {
    return new DomElement(name.toLowerCase(), this);
  }
  createTextNode(data: string): DomText {
    return new DomText(data);
  }
  save(element: DomElement): string {
    return String(this.#saved.push(element) - 1);
  }
  findSaved(number: string): DomElement | undefined {
    return this.#saved[Number(number)];
  }

  /** A frameset takes the place of a body. */
  #find(parent: DomElement, name: string): DomElement {
    const found = parent.children.find(
      ({ localName }) => localName === name || (name === "body" && localName === "frameset"),
    );
    return found ?? parent.appendChild(this.createElement(name));
  }
}

function findElement(from: DomNode | null, step: (node: DomNode) => DomNode | null): DomElement | null {
  let node = from;
  while (node !== null && !isElement(node)) node = step(node);
  return node;
}
