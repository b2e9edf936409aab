import type { DomDocument, DomElement } from "../dom.js";

/** The facts of an element that selectors need, in a form that is quick to read. */
export interface TreeElement {
  readonly element: DomElement;
  readonly name: string;
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly parent: TreeElement | null;
  readonly before: TreeElement | null;
  /** Filled while the tree is built. */
  readonly children: TreeElement[];
}

/** The page's elements, parents before children. */
export function listTree({ documentElement }: DomDocument, isQuirks: boolean): TreeElement[] {
  const list: TreeElement[] = [];
  const fold = (text: string) => (isQuirks ? text.toLowerCase() : text);
  const add = (element: DomElement, parent: TreeElement | null): void => {
    const names = element.getAttribute("class");
    const id = element.getAttribute("id");
    const own: TreeElement = {
      element,
      name: element.localName.toLowerCase(),
      id: id === null ? null : fold(id),
      classes: names === null ? [] : fold(names).split(/\s+/).filter(Boolean),
      parent,
      before: parent?.children.at(-1) ?? null,
      children: [],
    };
    parent?.children.push(own);
    list.push(own);
  };
  add(documentElement, null);
  for (let at = 0; at < list.length; at++) {
    const parent = list[at];
    if (parent) for (const child of parent.element.children) add(child, parent);
  }
  return list;
}
