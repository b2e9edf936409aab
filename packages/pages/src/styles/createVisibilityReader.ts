import type { DomDocument, DomElement } from "../dom.js";
import { type Appearance, findHidingReason, INITIAL_APPEARANCE } from "./appearance.js";
import { browserStyle } from "./browserStyle.js";
import { computeAppearance } from "./computeAppearance.js";
import { computeStyle } from "./computeStyle.js";
import { type Cover, isCovered, listCovers } from "./findCover.js";
import { type Declaration, parseDeclarations } from "./parseSheet.js";
import { type Cascaded, type OtherSheets, readStyles } from "./readStyles.js";
import { splitCommas } from "./splitCss.js";

export interface VisibilityReader {
  /** How text inside an element appears, from the appearance around the element. */
  inside(around: Appearance, element: DomElement): Appearance;
  readonly unreadSheets: number;
  readonly isIncomplete: boolean;
}

/** Decides for every element of a page how its text appears, by the page's style sheets and attributes. */
export function createVisibilityReader(document: DomDocument, sheets: OtherSheets): VisibilityReader {
  const styles = readStyles(document, sheets);
  const { isQuirks } = document;
  const hosts = listShadowHosts(document);
  const covers = new WeakMap<DomElement, readonly Cover[]>();
  /** Appearances by the one around them and the key of the rules that style them. */
  const known = new WeakMap<Appearance, Map<string, Appearance>>();
  let rootFontSize = INITIAL_APPEARANCE.fontSize;

  function compute(
    around: Appearance,
    element: DomElement,
    page: Cascaded,
    frame: readonly Declaration[] = [],
  ): Appearance {
    const computed = computeStyle(
      { custom: around.style.custom, style: around.style, registered: styles.registered, isQuirks },
      browserStyle(element),
      [...page.normal, ...frame, ...page.important],
    );
    return computeAppearance(around, element, computed, { isQuirks, rootFontSize });
  }

  /** Whether only the rules of style sheets, and the browser's own, decide how the element appears. */
  function isStyledByRulesOnly(element: DomElement, around: Appearance): boolean {
    return (
      element.localName !== "details" &&
      listColumns(element).length === 0 &&
      !hosts.has(element) &&
      coversIn(element.parentNode, around).length === 0
    );
  }

  function inside(around: Appearance, element: DomElement): Appearance {
    const own = styles.of(element);
    const isPlain = isStyledByRulesOnly(element, around);
    const browser = browserStyle(element);
    if (isPlain && own.key === "" && browser.length === 0 && around.perhaps === null) return around;
    const defaults = browser.map(({ property, value }) => `${property}:${value}`).join(";");
    const key = isPlain && own.key !== null ? `${own.key}|${defaults}` : null;
    const siblings = known.get(around) ?? new Map<string, Appearance>();
    known.set(around, siblings);
    const same = key === null ? undefined : siblings.get(key);
    if (same) return same;
    const animate = (from: Appearance, page: Cascaded) => showAnimated(from, element, page);
    const certain = finish(around, element, animate(around, own.certain));
    const isOpen = own.perhaps !== undefined || around.perhaps !== null;
    const perhaps = isOpen
      ? finish(around, element, animate(around.perhaps ?? around, own.perhaps ?? own.certain))
      : null;
    const appearance = { ...certain, perhaps };
    if (element === document.documentElement) rootFontSize = appearance.fontSize;
    if (key !== null && !appearance.dependsOnText) siblings.set(key, appearance);
    return appearance;
  }

  /**
   * Pages fade and move their text in, so what an animation may show counts as seen; one that ends by hiding it is a doubt. A text
   * that addresses an agent is a reason in plain sight as well.
   */
  function showAnimated(from: Appearance, element: DomElement, page: Cascaded): Appearance {
    const still = compute(from, element, page);
    const ends = splitCommas(still.style.get("animation-name") ?? "").map((name) =>
      styles.animations.get(name),
    );
    if (ends.includes("hides")) return { ...still, unclear: still.unclear ?? "animation" };
    return ends.includes("shows") && findHidingReason(still) !== null
      ? compute(from, element, page, SHOWN)
      : still;
  }

  /** Adds what depends on other elements: a closed `details`, a shadow tree, a box that lies over the element. */
  function finish(around: Appearance, element: DomElement, appearance: Appearance): Appearance {
    if (appearance.hiddenBy !== null) return appearance;
    const host = hosts.get(element);
    if (host === "unslotted") return { ...appearance, hiddenBy: "display_none" };
    const unclear = host === "slotted" ? (appearance.unclear ?? "shadow-tree") : appearance.unclear;
    // People open `details` that they can see, and cannot open it where its summary is hidden.
    if (isClosed(element) && isSummaryHidden(element, appearance))
      return { ...appearance, hiddenBy: "display_none" };
    if (isClosed(element) && isSummaryEmpty(element)) return { ...appearance, unclear: unclear ?? "summary" };
    const isShown = (column: DomElement) => compute(appearance, column, styles.of(column).certain).isVisible;
    if (!listColumns(element).every(isShown)) return { ...appearance, unclear: unclear ?? "column" };
    if (!isCovered(element, appearance, coversIn(element.parentNode, around)))
      return { ...appearance, unclear };
    // A box over the whole page is mostly removed by a script as soon as the page is ready.
    return element.parentNode?.localName === "body"
      ? { ...appearance, unclear: unclear ?? "page-cover" }
      : { ...appearance, hiddenBy: "covered" };
  }

  function isSummaryHidden(details: DomElement, appearance: Appearance): boolean {
    const summary = details.children.find(({ localName }) => localName === "summary");
    if (summary === undefined) return false;
    return findHidingReason(compute(appearance, summary, styles.of(summary).certain)) !== null;
  }

  /** Nothing but a small triangle, which a style may remove, shows that there is something to open. */
  function isSummaryEmpty(details: DomElement): boolean {
    const summary = details.children.find(({ localName }) => localName === "summary");
    const isBare = summary?.listInside("img", "svg", "picture", "i", "input").length === 0;
    return isBare && !/\S/.test(summary.textContent);
  }

  function coversIn(parent: DomElement | null, around: Appearance): readonly Cover[] {
    if (parent === null) return [];
    const found = covers.get(parent);
    if (found) return found;
    const list = listCovers(parent, around, (child) => {
      const { certain } = styles.of(child);
      const isPlaced = [...certain.normal, ...certain.important].some(
        ({ property }) => property === "position",
      );
      return isPlaced ? compute(around, child, certain) : undefined;
    });
    covers.set(parent, list);
    return list;
  }

  return { inside, unreadSheets: styles.unreadSheets, isIncomplete: styles.isIncomplete };
}

/** What an animation mostly begins without. */
const SHOWN = parseDeclarations("opacity:1;visibility:visible;transform:none;translate:none;scale:none");

const isClosed = (element: DomElement) => element.localName === "details" && !element.hasAttribute("open");

/** The columns of a table. Which cells stand in a hidden column is not worked out, so one makes the table unclear. */
function listColumns({ localName, children }: DomElement): readonly DomElement[] {
  if (localName !== "table") return [];
  const own = children.filter((child) => /^col(group)?$/.test(child.localName));
  return [...own, ...own.flatMap((group) => group.children)];
}

/** Elements with a shadow tree in the page's source: their own content is shown only where that tree has a slot for it. */
function listShadowHosts({ documentElement }: DomDocument): Map<DomElement, "slotted" | "unslotted"> {
  const hosts = new Map<DomElement, "slotted" | "unslotted">();
  for (const template of documentElement.listInside("template")) {
    const { parentNode } = template;
    if (parentNode === null) continue;
    if (!template.hasAttribute("shadowrootmode") && !template.hasAttribute("shadowroot")) continue;
    hosts.set(parentNode, template.listInside("slot").length > 0 ? "slotted" : "unslotted");
  }
  return hosts;
}
