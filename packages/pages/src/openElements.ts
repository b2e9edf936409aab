import type { DomElement } from "./dom.js";

/** An open tag, or an element that browsers open again without one. */
interface OpenTag {
  readonly name: string;
  /** Where its content goes; null for the document's own html, head and body. */
  element: DomElement | null;
  /** No tag of the source will be reported as closed for it. */
  readonly isReopened: boolean;
}

export interface OpenElements {
  /** The formatting that was opened again, in the page's order. */
  readonly reopened: readonly DomElement[];
  /** The innermost, or null outside of all. */
  inner(): DomElement | null;
  /** Opens again what browsers do before text, or before an element that is not a block. */
  reopen(name: string | null): void;
  push(name: string, element: DomElement | null): void;
  /** After a tag's element was closed, by its end tag or by another. */
  pop(name: string): void;
  /** Keeps a paragraph open that only the parser closes. */
  keep(): void;
  /** Takes an end tag by itself; false where it is the parser's to close. */
  close(name: string): boolean;
  /** Before a start tag: ends a kept paragraph or a link, in which the new element cannot stand. */
  prepare(name: string): void;
}

/** HTML, section 13.2.4.3: closed by the end of a block, these go on in the next. */
const FORMATTING = new Set("a b big code em font i nobr s small strike strong tt u".split(" "));
/** Nothing is opened again beyond their edge, and nothing from inside after it. */
const BARRIERS = new Set(
  "applet caption iframe marquee math noembed noframes noscript object select svg td template th".split(" "),
);
/** Blocks and parts of tables, before which nothing is opened again; a paragraph ends at the blocks. */
const BLOCKS = new Set(
  [
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2",
    "h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul",
  ].flatMap((line) => line.split(" ")),
);
const UNFORMATTED = new Set(
  [
    "base body caption col colgroup frame frameset head html link meta noframes noscript param script source style tbody td",
    "template textarea tfoot th thead title tr track",
  ].flatMap((line) => line.split(" ")),
);
/** Browsers keep three that are the same (HTML, section 13.2.4.3). */
const MOST_ALIKE = 3;

/** The stack of open elements, with the formatting that browsers carry on from block to block. */
export function createOpenElements(body: DomElement, verifyDepth: (depth: number) => void): OpenElements {
  const open: OpenTag[] = [];
  /** Null for the edge of a barrier. */
  const formatting: (DomElement | null)[] = [];
  const reopened: DomElement[] = [];

  const innerOf = (depth: number) => open[depth - 1]?.element ?? null;
  const sinceBarrier = () => formatting.slice(formatting.lastIndexOf(null) + 1).flatMap((each) => each ?? []);
  const forget = (element: DomElement) => {
    const at = formatting.lastIndexOf(element);
    if (at >= 0) formatting.splice(at, 1);
  };
  const copy = (element: DomElement, parent: DomElement) => {
    const again = element.cloneNode(false);
    parent.appendChild(again);
    if (FORMATTING.has(again.localName)) reopened.push(again);
    const at = formatting.lastIndexOf(element);
    if (at >= 0) formatting[at] = again;
    return again;
  };

  /** Takes what follows out of an element, and leaves it in all that was opened inside (the adoption agency, simply). */
  const leave = (depth: number) => {
    const tag = open[depth];
    if (!tag?.element) return;
    forget(tag.element);
    const outside = innerOf(depth);
    let parent = outside ?? body;
    for (const inside of open.slice(depth + 1)) {
      if (inside.element === null) continue;
      inside.element = copy(inside.element, parent);
      parent = inside.element;
    }
    if (tag.isReopened) open.splice(depth, 1);
    else tag.element = outside;
  };

  const depthOfKept = () => {
    for (let depth = open.length - 1; open[depth]?.isReopened; depth--)
      if (open[depth]?.name === "p") return depth;
    return -1;
  };

  const endFormatting = (name: string): "unknown" | "left" | "innermost" => {
    const active = sinceBarrier().findLast(({ localName }) => localName === name);
    if (active === undefined) return "unknown";
    const depth = open.findLastIndex(({ element }) => element === active);
    if (depth < 0) forget(active);
    else if (depth === open.length - 1 && !open[depth]?.isReopened) {
      forget(active);
      return "innermost";
    } else leave(depth);
    return "left";
  };

  return {
    reopened,
    inner: () => innerOf(open.length),
    reopen(name) {
      if (name !== null && (BLOCKS.has(name) || UNFORMATTED.has(name))) return;
      const inner = innerOf(open.length);
      if (name === null && inner && UNFORMATTED.has(inner.localName) && !BARRIERS.has(inner.localName))
        return;
      const isOpen = new Set(open.map(({ element }) => element));
      for (const element of sinceBarrier()) {
        if (isOpen.has(element)) continue;
        const again = copy(element, innerOf(open.length) ?? body);
        open.push({ name: element.localName, element: again, isReopened: true });
        verifyDepth(open.length);
      }
    },
    push(name, element) {
      open.push({ name, element, isReopened: false });
      if (BARRIERS.has(name)) formatting.push(null);
      else if (element !== null && FORMATTING.has(name)) {
        const alike = sinceBarrier().filter((each) => isAlike(each, element));
        if (alike[0] && alike.length >= MOST_ALIKE) forget(alike[0]);
        formatting.push(element);
      }
    },
    pop(name) {
      while (open.pop()?.isReopened);
      if (BARRIERS.has(name)) formatting.splice(Math.max(0, formatting.lastIndexOf(null)));
    },
    keep() {
      while (open.at(-1)?.isReopened && open.at(-1)?.name !== "p") open.pop();
      const kept = open.pop();
      if (kept) open.push({ ...kept, isReopened: true });
    },
    close(name) {
      if (name === "p") {
        const kept = depthOfKept();
        if (kept >= 0) open.splice(kept);
        return kept >= 0;
      }
      return FORMATTING.has(name) && endFormatting(name) !== "innermost";
    },
    prepare(name) {
      if (BLOCKS.has(name)) {
        const kept = depthOfKept();
        if (kept >= 0) open.splice(kept);
      }
      if (name === "a" || name === "nobr") {
        const active = sinceBarrier().findLast(({ localName }) => localName === name);
        const depth = open.findLastIndex(({ element }) => element === active);
        if (active && depth >= 0) leave(depth);
        else if (active) forget(active);
      }
    },
  };
}

function isAlike(one: DomElement, other: DomElement): boolean {
  const names = one.getAttributeNames();
  return (
    one.localName === other.localName &&
    names.length === other.getAttributeNames().length &&
    names.every((name) => one.getAttribute(name) === other.getAttribute(name))
  );
}
