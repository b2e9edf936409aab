import type { DomDocument, DomElement } from "../dom.js";
import { browserStyle } from "./browserStyle.js";
import { type ComputedStyle, computeStyle, type ValueKind } from "./computeStyle.js";
import { type Cover, isCovered, listCovers } from "./findCover.js";
import { isPastEdge } from "./isPastEdge.js";
import type { Frame } from "./listRules.js";
import { FIRST_LOOK, findReason, type HiddenKind, type Look } from "./look.js";
import { measure } from "./measure.js";
import { paintText } from "./paintText.js";
import type { Declaration } from "./parseSheet.js";
import { placeBox } from "./placeBox.js";
import { readAnimation } from "./readAnimation.js";
import { type Cascaded, readStyles } from "./readStyles.js";
import { createStyleReader, type StyleReader } from "./styleReader.js";
import { isBox, isPaint, PSEUDO_SHEET } from "./watchedProperties.js";

export interface Looks {
  /** The look inside an element, from that around it. */
  inside(around: Look, element: DomElement): Look;
  readonly externalSheets: number;
  readonly isIncomplete: boolean;
}

/** A cycle of which text is hidden for longer is not shown to be read. */
const LONGEST_ABSENCE = 0.8;
const MAX_STEPS = 20;

/** How everything on a page looks, by its style sheets and attributes. */
export function createLooks(document: DomDocument): Looks {
  const styles = readStyles(document);
  const isQuirks = document.isQuirks === true;
  const hosts = listShadowHosts(document);
  const covers = new WeakMap<DomElement, readonly Cover[]>();
  const known = new WeakMap<Look, Map<string, Look>>();
  const checked = new Map<string, ValueKind>();
  let rootFontSize = FIRST_LOOK.fontSize;

  function compute(around: Look, element: DomElement, page: Cascaded, frame: readonly Declaration[]): Look {
    const computed = computeStyle(
      { custom: around.style.custom, style: around.style, registered: styles.registered, isQuirks, checked },
      browserStyle(element),
      [...page.normal, ...frame, ...page.important],
    );
    return lookBy(around, element, computed, { isQuirks, rootFontSize });
  }

  /** The look that an animation leaves, if the element has one. */
  function animate(around: Look, element: DomElement, page: Cascaded): Look {
    const still = compute(around, element, page, []);
    if (styles.frames.size === 0 || !still.style.get("animation-name")) return still;
    const { lasting, steps } = readAnimation(still.style, styles.frames);
    const look = lasting.length === 0 ? still : compute(around, element, page, lasting);
    if (steps.length === 0 || findReason(around) !== null) return look;
    const moments = fromStartToEnd(steps).map(({ at, declarations }) => {
      const then = compute(around, element, page, declarations);
      return { at, then, isHidden: findReason(then) !== null };
    });
    const [first] = moments;
    if (first && moments.every(({ isHidden }) => isHidden)) return first.then;
    const absence = moments.reduce((sum, { at, isHidden }, index) => {
      const next = moments[index + 1];
      return sum + (isHidden && next?.isHidden ? next.at - at : 0);
    }, 0);
    if (absence < LONGEST_ABSENCE) return look;
    return { ...look, unclear: look.unclear ?? "animation" };
  }

  function inside(around: Look, element: DomElement): Look {
    const own = styles.of(element);
    const isPlain =
      browserStyle(element).length === 0 &&
      !element.hasAttribute("aria-hidden") &&
      element.localName !== "details" &&
      listColumns(element).length === 0 &&
      !hosts.has(element) &&
      coversIn(element.parentNode, around).length === 0;
    if (isPlain && own.key === "" && around.perhaps === null) return around;
    const key = isPlain && own.key !== null ? own.key : null;
    const siblings = known.get(around) ?? new Map<string, Look>();
    known.set(around, siblings);
    const same = key === null ? undefined : siblings.get(key);
    if (same) return same;
    const certain = finish(around, element, animate(around, element, own.certain));
    const isOpen = own.perhaps !== undefined || around.perhaps !== null;
    const perhaps = isOpen
      ? finish(around, element, animate(around.perhaps ?? around, element, own.perhaps ?? own.certain))
      : null;
    const look = { ...certain, perhaps };
    if (element === document.documentElement) rootFontSize = look.fontSize;
    // Of a box that is moved it counts how much text it has, too.
    if (key !== null && look.box === around.box) siblings.set(key, look);
    return look;
  }

  /** What depends on other elements: a closed `details`, a shadow tree, a box that lies over it. */
  function finish(around: Look, element: DomElement, look: Look): Look {
    if (look.buriedBy !== null) return look;
    const host = hosts.get(element);
    if (host === "unslotted") return { ...look, buriedBy: "display_none" };
    const unclear = host === "slotted" ? (look.unclear ?? "shadow-tree") : look.unclear;
    if (element.localName === "details" && !element.hasAttribute("open")) {
      const summary = element.children.find(({ localName }) => localName === "summary");
      // People open what they can see; without its summary nobody can.
      if (summary && findReason(compute(look, summary, styles.of(summary).certain, [])) !== null)
        return { ...look, buriedBy: "display_none" };
    }
    if (
      listColumns(element).some((column) => !compute(look, column, styles.of(column).certain, []).isVisible)
    )
      return { ...look, unclear: unclear ?? "column" };
    if (!isCovered(element, look, coversIn(element.parentNode, around))) return { ...look, unclear };
    // Such a sheet is mostly taken away by a script as soon as the page is ready.
    return element.parentNode?.localName === "body"
      ? { ...look, unclear: unclear ?? "page-cover" }
      : { ...look, buriedBy: "covered" };
  }

  function coversIn(parent: DomElement | null, around: Look): readonly Cover[] {
    if (parent === null) return [];
    const found = covers.get(parent);
    if (found) return found;
    const list = listCovers(parent, around, (child) => {
      const { certain } = styles.of(child);
      const isPlaced = [...certain.normal, ...certain.important].some(
        ({ property }) => property === "position",
      );
      return isPlaced ? compute(around, child, certain, []) : undefined;
    });
    covers.set(parent, list);
    return list;
  }

  return { inside, externalSheets: styles.externalSheets, isIncomplete: styles.isIncomplete };
}

/** Where an animation names no first or last step, that is the element as it is. */
function fromStartToEnd(steps: readonly Frame[]): Frame[] {
  const named = steps.slice(0, MAX_STEPS);
  const missing = [0, 1].filter((at) => !named.some((step) => step.at === at));
  return [...named, ...missing.map((at) => ({ at, declarations: [] }))].sort(
    (one, other) => one.at - other.at,
  );
}

/** The columns of a table; which cells stand in a column that is not shown is not worked out. */
function listColumns({ localName, children }: DomElement): readonly DomElement[] {
  if (localName !== "table") return [];
  const own = children.filter((child) => /^col(group)?$/.test(child.localName));
  return [...own, ...own.flatMap((group) => group.children)];
}

/** Elements with a shadow tree in the page's source: what stands in them is shown only where that has a slot for it. */
function listShadowHosts({ documentElement }: DomDocument): Map<DomElement, "slotted" | "unslotted"> {
  const hosts = new Map<DomElement, "slotted" | "unslotted">();
  for (const template of documentElement.querySelectorAll("template[shadowrootmode], template[shadowroot]")) {
    const { parentNode } = template;
    if (parentNode) hosts.set(parentNode, /<slot[\s/>]/i.test(template.outerHTML) ? "slotted" : "unslotted");
  }
  return hosts;
}

function lookBy(
  around: Look,
  element: DomElement,
  style: ComputedStyle,
  { isQuirks, rootFontSize }: { isQuirks: boolean; rootFontSize: number },
): Look {
  const isPageItself = element.localName === "html" || element.localName === "body";
  const fonts = createStyleReader(style, { fontSize: around.fontSize, rootFontSize });
  const fontSize = readFontSize(fonts, around.fontSize);
  const sizes = { fontSize, rootFontSize: element.localName === "html" ? fontSize : rootFontSize };
  const read = createStyleReader(style, sizes);
  const visibility = read.word("visibility", "");
  const isBoxed = style.sets(isBox) || around.box.perspective !== null || around.box.hasClosedRows;
  const { box, gone } = isBoxed
    ? placeBox(around.box, read, sizes, isPageItself)
    : { box: around.box, gone: null };
  const paint = !style.sets(isPaint)
    ? around.paint
    : paintText(around.paint, style, sizes, isQuirks, element.localName === "html");
  const position = read.word("position", "static");
  const depth = read.word("z-index", "auto");
  const isBehind = position !== "static" && Number(depth) < 0 && around.hidesBehind;
  const isStack =
    (position !== "static" && depth !== "auto") ||
    /^(fixed|sticky)$/.test(position) ||
    paint.group !== around.paint.group ||
    read.word("transform", "none") !== "none" ||
    read.word("isolation", "auto") === "isolate";
  const hasGround = paint.ground !== around.paint.ground && paint.ground.isSolid && !isPageItself;
  const lineHeight = readLineHeight(read, sizes) ?? around.lineHeight;
  const line = lineHeight.value * (lineHeight.isFactor ? fontSize : 1);
  const isOut = isBoxed && !isPageItself && isPastEdge(element, box, around.box, read, { fontSize, line });
  const burial =
    findBurial(style, read) ??
    gone ??
    (isOut ? "off_screen" : null) ??
    (isBehind ? "covered" : null) ??
    findAria(element);
  return {
    buriedBy: around.buriedBy ?? burial,
    isVisible: visibility === "" ? around.isVisible : !/^(hidden|collapse)$/.test(visibility),
    fontSize,
    lineHeight,
    indent:
      read.length("text-indent", box.width) ?? (style.get("text-indent") === undefined ? around.indent : 0),
    box,
    paint,
    hidesBehind: isStack ? false : around.hidesBehind || hasGround,
    unclear:
      around.unclear ??
      fonts.unclear() ??
      read.unclear() ??
      style.get(PSEUDO_SHEET)?.replace("on", "pseudo-element") ??
      null,
    style,
    perhaps: null,
  };
}

function findBurial(style: ComputedStyle, read: StyleReader): HiddenKind | null {
  const is = (property: string, pattern: RegExp) => pattern.test(read.word(property, ""));
  if (
    is("display", /^(none|table-column|table-column-group)$/) ||
    is("content-visibility", /^hidden$/) ||
    is("-webkit-text-security", /^(?!none$)./) ||
    // A picture in place of what the element holds.
    /^(url|image-set|[-\w]*gradient)\(/.test(style.get("content") ?? "")
  )
    return "display_none";
  return is("font-size-adjust", /^0*\.?0+$/) ? "zero_size" : null;
}

const findAria = (element: DomElement): HiddenKind | null =>
  element.getAttribute("aria-hidden")?.trim().toLowerCase() === "true" ? "aria_hidden" : null;

/** CSS Fonts 4, section 2.5, in CSS pixels. */
const FONT_WORDS: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
  "xxx-large": 48,
};

function readFontSize(read: StyleReader, around: number): number {
  const word = read.word("font-size", "");
  if (word === "smaller") return around / 1.2;
  if (word === "larger") return around * 1.2;
  return FONT_WORDS[word] ?? read.length("font-size", around) ?? around;
}

function readLineHeight(
  read: StyleReader,
  sizes: { fontSize: number; rootFontSize: number },
): Look["lineHeight"] | undefined {
  const word = read.word("line-height", "");
  if (word === "") return undefined;
  if (word === "normal") return FIRST_LOOK.lineHeight;
  const value = measure(word, { ...sizes, percentOf: sizes.fontSize });
  return value === undefined ? undefined : { value, isFactor: /^[+.\d]+$/.test(word) };
}
