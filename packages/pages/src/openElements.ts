import type { DomElement } from "./dom.js";

/** An open tag, or an element that browsers open again without a tag. */
interface OpenTag {
  readonly name: string;
  /** The element that gets its content; null for the document's own html, head and body. */
  element: DomElement | null;
  /** True where no tag of the source will be reported as closed for it. */
  readonly isReopened: boolean;
}

export interface OpenElements {
  /** The formatting elements that were opened again, in the page's order. */
  readonly reopened: readonly DomElement[];
  /** The innermost open element, or null outside of all. */
  inner(): DomElement | null;
  /** Opens the formatting again that browsers carry over, before text or before an element that is not a block. */
  reopen(name: string | null): void;
  push(name: string, element: DomElement | null): void;
  /** To be called after a tag's element was closed, by its end tag or by another. */
  pop(name: string): void;
  /** Keeps a paragraph open that the parser closes but browsers do not. */
  keep(): void;
  /** Handles an end tag; false where the parser has to close the element. */
  close(name: string): boolean;
  /** To be called before a start tag: ends a kept paragraph or a link that cannot contain the new element. */
  prepare(name: string): void;
}

/** HTML, section 13.2.4.3: when the end of a block closes them, these continue in the next block. */
const FORMATTING = new Set("a b big code em font i nobr s small strike strong tt u".split(" "));
/** Formatting is not carried over into these elements, or out of them. */
const BARRIERS = new Set(
  "applet caption iframe marquee math noembed noframes noscript object select svg td template th".split(" "),
);
/** Blocks: formatting is not opened again before them, and a paragraph ends at them. */
const BLOCKS = new Set(
  [
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2",
    "h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul",
  ].flatMap((line) => line.split(" ")),
);
/** Further elements before which formatting is not opened again. */
const UNFORMATTED = new Set(
  [
    "base body caption col colgroup frame frameset head html link meta noframes noscript param script source style tbody td",
    "template textarea tfoot th thead title tr track",
  ].flatMap((line) => line.split(" ")),
);
/** Of identical formatting elements browsers keep three (HTML, section 13.2.4.3). */
const MAX_IDENTICAL = 3;

/** The stack of open elements, with the formatting that browsers carry over from block to block. */
export function createOpenElements(body: DomElement, verifyDepth: (depth: number) => void): OpenElements {
  const open: OpenTag[] = [];
  /** The active formatting elements; null marks the start of a barrier. */
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

  /** Ends an element but keeps the elements that were opened inside it open (a simple form of the adoption agency algorithm). */
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
        const identical = sinceBarrier().filter((each) => isIdentical(each, element));
        if (identical[0] && identical.length >= MAX_IDENTICAL) forget(identical[0]);
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

function isIdentical(one: DomElement, other: DomElement): boolean {
  const names = one.getAttributeNames();
  return (
    one.localName === other.localName &&
    names.length === other.getAttributeNames().length &&
    names.every((name) => one.getAttribute(name) === other.getAttribute(name))
  );
}
