import type { DomDocument, DomElement } from "../dom.js";
import { type FetchedSheet, keyOf, resolveUrl } from "../sheetRequests.js";
import { appliesToScreen } from "./appliesToScreen.js";
import { both, type Certainty, NO, PERHAPS, YES } from "./certainty.js";
import { listTree, type TreeElement } from "./elementTree.js";
import {
  type AnimationEnd,
  createRuleBook,
  listRules,
  type RegisteredProperty,
  type RuleBook,
  rankLayers,
  type StyleRule,
} from "./listRules.js";
import { listScriptRules } from "./listScriptRules.js";
import { type Declaration, parseDeclarations, parseSheet } from "./parseSheet.js";
import { isWatched } from "./watchedProperties.js";

/** An element's declarations in the order of the cascade, weakest first; animations come between the two lists. */
export interface Cascaded {
  readonly normal: readonly Declaration[];
  readonly important: readonly Declaration[];
}

export interface ElementStyles {
  readonly certain: Cascaded;
  /** With the rules that perhaps apply; undefined where there are none. */
  readonly perhaps: Cascaded | undefined;
  /** Equal for elements that the same rules style; null for those with a `style` attribute. */
  readonly key: string | null;
}

export interface PageStyles {
  of(element: DomElement): ElementStyles;
  readonly animations: ReadonlyMap<string, AnimationEnd>;
  readonly registered: ReadonlyMap<string, RegisteredProperty>;
  /** Sheets in other files that were not read. */
  readonly unreadSheets: number;
  /** Not every rule was compared with every element that it may style. */
  readonly isIncomplete: boolean;
}

/** Comparisons of an element with a part of a selector; this many take a second. */
const MAX_TESTS = 1_000_000;
/** Pairs of an element and a rule that styles it. */
const MAX_MATCHES = 300_000;

const NOTHING: Cascaded = { normal: [], important: [] };
const UNSTYLED: ElementStyles = { certain: NOTHING, perhaps: undefined, key: "" };

class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** The sheets in other files, and the address that a page's own references start from. */
export interface OtherSheets {
  readonly base: string;
  readonly sheets: readonly FetchedSheet[];
}

/** The watched declarations that apply to each element, from the page's sheets and `style` attributes. */
export function readStyles(document: DomDocument, others: OtherSheets): PageStyles {
  const { isQuirks } = document;
  const tree = listTree(document, isQuirks);
  const index = indexElements(tree);
  const book = createRuleBook();
  let tests = 0;
  const countTest = () => {
    if (++tests > MAX_TESTS) throw new BudgetSpent();
  };
  const find = createFinder(others.sheets);
  let unreadSheets = 0;
  let isIncomplete = false;

  const read = ({ css, certainty, base }: PageSheet, depth: number) => {
    if (css === null) {
      unreadSheets += 1;
      return;
    }
    const parsed = parseSheet(css);
    for (const { name, prelude } of parsed.rules) {
      // Imports come before all other rules.
      if (name !== "import" && name !== "charset" && name !== "layer") break;
      if (name !== "import") continue;
      const { href, condition } = readImport(prelude);
      const applies = both(certainty, readImportCondition(condition));
      if (applies === NO) continue;
      if (depth >= MAX_IMPORTS) isIncomplete = true;
      else read({ ...find(href, base, ""), certainty: applies }, depth + 1);
    }
    listRules(book, parsed, certainty, { isQuirks, countTest, isOnPage: (key) => index.has(key) });
    if (parsed.isCut) isIncomplete = true;
  };
  for (const sheet of listSheets(document, others.base, find)) read(sheet, 0);
  read({ css: listScriptRules(document), certainty: PERHAPS, base: others.base }, 0);
  rankLayers(book.root);

  const matched = new Map<DomElement, number[]>();
  try {
    matchRules(book.rules, (key) => (key === undefined ? tree : (index.get(key) ?? [])), matched);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    isIncomplete = true;
  }
  const cache = new Map<string, ElementStyles>();
  const asked = new WeakMap<DomElement, ElementStyles>();
  return {
    of(element) {
      const found = asked.get(element) ?? cascade(element, matched.get(element), book, cache);
      asked.set(element, found);
      return found;
    },
    animations: book.animations,
    registered: book.registered,
    unreadSheets,
    isIncomplete: isIncomplete || book.isFull,
  };
}

/** Collects for each element the rules that style it, each as twice its number, plus one where it certainly applies. */
function matchRules(
  rules: readonly StyleRule[],
  candidatesOf: (key: string | undefined) => readonly TreeElement[],
  matched: Map<DomElement, number[]>,
): void {
  let matches = 0;
  for (const [number, { selector, certainty }] of rules.entries())
    for (const candidate of candidatesOf(selector.key)) {
      const certain = both(certainty, selector.matches(candidate));
      if (certain === NO) continue;
      if (++matches > MAX_MATCHES) throw new BudgetSpent();
      const entry = number * 2 + (certain === YES ? 1 : 0);
      const own = matched.get(candidate.element);
      if (own) own.push(entry);
      else matched.set(candidate.element, [entry]);
    }
}

function readImport(prelude: string): { href: string; condition: string } {
  const [, quoted, bare, rest = ""] =
    /^(?:url\(\s*)?(?:["'](.*?)["']|([^\s"')]*))\s*\)?(.*)$/s.exec(prelude) ?? [];
  return { href: quoted ?? bare ?? "", condition: rest.trim() };
}

/** Imports into a layer or under a condition of support perhaps apply. */
const readImportCondition = (condition: string) =>
  /^(layer|supports)\b/i.test(condition) ? PERHAPS : appliesToScreen(condition);

/** Of nested imports: a sheet that imports itself would never end. */
const MAX_IMPORTS = 5;

interface FoundSheet {
  /** Null where it was not read. */
  readonly css: string | null;
  /** The address that its own references start from. */
  readonly base: string;
}
interface PageSheet extends FoundSheet {
  readonly certainty: Certainty;
}
type FindSheet = (href: string, base: string, integrity: string) => FoundSheet;

/** Finds a sheet that is written out in its URL, or was fetched. */
function createFinder(sheets: readonly FetchedSheet[]): FindSheet {
  const fetched = new Map(sheets.map((sheet) => [keyOf(sheet), sheet.css]));
  return (href, base, integrity) => {
    const written = readDataSheet(href);
    if (written !== undefined) return { css: written, base };
    const url = resolveUrl(href, base);
    // No browser loads a sheet from another scheme.
    if (url === undefined) return { css: "", base };
    return { css: fetched.get(keyOf({ url, integrity })) ?? null, base: url };
  };
}

function listSheets({ documentElement }: DomDocument, base: string, find: FindSheet): PageSheet[] {
  const found: PageSheet[] = [];
  for (const element of documentElement.listInside("style", "link")) {
    const certainty = appliesToScreen(element.getAttribute("media") ?? "");
    if (certainty === NO || isUnused(element)) continue;
    if (element.localName.toLowerCase() === "style")
      found.push({ css: element.textContent, certainty, base });
    else {
      const relations = (element.getAttribute("rel") ?? "").toLowerCase().split(/\s+/);
      const href = element.getAttribute("href") ?? "";
      if (
        !relations.includes("stylesheet") ||
        relations.includes("alternate") ||
        element.hasAttribute("disabled") ||
        href.trim() === ""
      )
        continue;
      found.push({ ...find(href, base, element.getAttribute("integrity")?.trim() ?? ""), certainty });
    }
  }
  return found;
}

/** Whether a sheet is inside an element that browsers with scripts ignore, or of a type that no browser reads. */
function isUnused(element: DomElement): boolean {
  const type = element.getAttribute("type")?.trim().toLowerCase() ?? "";
  if (type !== "" && !type.startsWith("text/css")) return true;
  for (let at = element.parentNode; at !== null; at = at.parentNode)
    if (/^(noscript|template|noembed|noframes|iframe)$/.test(at.localName ?? "")) return true;
  return false;
}

/** A sheet that is written out in its URL (RFC 2397); undefined where it would have to be fetched. */
function readDataSheet(url: string): string | undefined {
  const [, head = "", body] = /^\s*data:([^,]*),(.*)$/is.exec(url) ?? [];
  if (body === undefined) return undefined;
  try {
    const plain = decodeURIComponent(body);
    return /;\s*base64\s*$/i.test(head) ? Buffer.from(plain, "base64").toString("utf8") : plain;
  } catch {
    return undefined;
  }
}

/** The elements with each id, class and name: a selector can match only those that have what its last part requires. */
function indexElements(all: readonly TreeElement[]): ReadonlyMap<string, readonly TreeElement[]> {
  const index = new Map<string, TreeElement[]>();
  const add = (key: string, element: TreeElement) => {
    const list = index.get(key);
    if (list) list.push(element);
    else index.set(key, [element]);
  };
  for (const element of all) {
    add(element.name, element);
    if (element.id) add(`#${element.id}`, element);
    for (const name of new Set(element.classes)) add(`.${name}`, element);
  }
  return index;
}

function cascade(
  element: DomElement,
  matched: readonly number[] | undefined,
  { rules }: RuleBook,
  cache: Map<string, ElementStyles>,
): ElementStyles {
  const inline = element.getAttribute("style");
  if (matched === undefined && !inline) return UNSTYLED;
  const key = matched?.join(" ") ?? "";
  const known = cache.get(key) ?? sortMatched(key, matched ?? [], rules);
  cache.set(key, known);
  if (!inline) return known;
  const own = parseDeclarations(inline).filter(({ property }) => isWatched(property));
  const add = ({ normal, important }: Cascaded): Cascaded => ({
    normal: [...normal, ...own.filter(({ isImportant }) => !isImportant)],
    important: [...important, ...own.filter(({ isImportant }) => isImportant)],
  });
  return { certain: add(known.certain), perhaps: known.perhaps && add(known.perhaps), key: null };
}

function sortMatched(key: string, matched: readonly number[], rules: readonly StyleRule[]): ElementStyles {
  const list = matched.flatMap((entry) => {
    const rule = rules[Math.floor(entry / 2)];
    return rule ? [{ rule, isCertain: entry % 2 === 1, order: entry }] : [];
  });
  const sort = (entries: typeof list): Cascaded => {
    const order = (sign: 1 | -1) =>
      entries.toSorted(
        (one, other) =>
          sign * (one.rule.layer.rank - other.rule.layer.rank) ||
          one.rule.selector.specificity - other.rule.selector.specificity ||
          one.order - other.order,
      );
    const pick = (sign: 1 | -1, wanted: boolean) =>
      order(sign).flatMap(({ rule }) =>
        rule.declarations.filter(({ isImportant }) => isImportant === wanted),
      );
    return { normal: pick(1, false), important: pick(-1, true) };
  };
  const certain = list.filter(({ isCertain }) => isCertain);
  return {
    certain: sort(certain),
    perhaps: certain.length < list.length ? sort(list) : undefined,
    key,
  };
}
