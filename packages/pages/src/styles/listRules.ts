import { appliesToScreen } from "./appliesToScreen.js";
import { both, type Certainty, certaintyOf, NO, PERHAPS } from "./certainty.js";
import { compileSelector, type Matcher, type Selector, type SelectorScope } from "./compileSelector.js";
import { isSupported } from "./isSupported.js";
import type { Declaration, SheetBlock, SheetRule } from "./parseSheet.js";
import { splitCommas } from "./splitCss.js";
import { isWatched, PSEUDO_SHEET } from "./watchedProperties.js";

/** A layer of the cascade; `rank` is set once every sheet has been read. */
export interface Layer {
  readonly layers: Map<string, Layer>;
  rank: number;
}

export interface StyleRule {
  readonly selector: Selector;
  readonly declarations: readonly Declaration[];
  readonly certainty: Certainty;
  readonly layer: Layer;
}

/** What an animation does in the end with what it moves. */
export type AnimationEnd = "hides" | "shows" | "neither";

/** The initial value and inheritance that `@property` gives a custom property. */
export interface RegisteredProperty {
  readonly initial: string | null;
  readonly inherits: boolean;
}

export interface RuleBook {
  readonly rules: StyleRule[];
  readonly animations: Map<string, AnimationEnd>;
  readonly registered: Map<string, RegisteredProperty>;
  readonly root: Layer;
  /** Number of layers without a name, each of which is a layer of its own. */
  anonymousLayers: number;
  isFull: boolean;
}

/** More than any page made for people, and few enough to process in a second. */
const MAX_RULES = 20_000;

interface Place {
  readonly certainty: Certainty;
  readonly layer: Layer;
  readonly parents: readonly Selector[] | null;
}

const isRoot: Matcher = ({ parent }) => certaintyOf(parent === null);

export const createRuleBook = (): RuleBook => ({
  rules: [],
  animations: new Map(),
  registered: new Map(),
  root: { layers: new Map(), rank: 0 },
  anonymousLayers: 0,
  isFull: false,
});

/** What all selectors of a page have in common. */
export interface SheetScope extends Pick<SelectorScope, "isQuirks" | "countTest"> {
  /** Whether the page has the id, class or name, written as in a selector. */
  isOnPage(key: string): boolean;
}

/** Adds a sheet's rules with watched declarations, in their order, with the conditions that each depends on. */
export function listRules(book: RuleBook, sheet: SheetBlock, certainty: Certainty, scope: SheetScope): void {
  const visit = (rules: readonly SheetRule[], place: Place) => {
    for (const rule of rules) {
      if (book.rules.length >= MAX_RULES) book.isFull = true;
      if (book.isFull) return;
      if (rule.name === null) visitRule(rule, place);
      else visitAtRule(rule.name, rule, place);
    }
  };

  const add = (selectors: readonly Selector[], given: readonly Declaration[], place: Place) => {
    const watched = given.filter(({ property }) => isWatched(property));
    if (watched.length === 0) return;
    const isSheet = fillsParent(watched);
    for (const selector of selectors) {
      const isBeside = BESIDE.test(selector.pseudoElement ?? "");
      if (isBeside && !isSheet) continue;
      book.rules.push({
        selector,
        declarations: isBeside ? [{ property: PSEUDO_SHEET, value: "on", isImportant: false }] : watched,
        // The first line or letter may be all the text that a paragraph has.
        certainty: selector.pseudoElement === null || isBeside ? place.certainty : PERHAPS,
        layer: place.layer,
      });
    }
  };

  const visitRule = ({ prelude, block }: SheetRule, place: Place) => {
    if (block === null || prelude.startsWith("}")) return;
    const { selectors, isKnown } = compileList(prelude, place, scope);
    const inside = { ...place, certainty: isKnown ? place.certainty : both(place.certainty, PERHAPS) };
    add(selectors, block.declarations, inside);
    visit(block.rules, {
      ...inside,
      parents: selectors.filter(({ pseudoElement }) => pseudoElement === null),
    });
  };

  const visitAtRule = (name: string, { prelude, block }: SheetRule, place: Place) => {
    if (name === "layer" && block === null)
      for (const each of splitCommas(prelude)) findLayer(place.layer, each);
    if (block === null || HARMLESS.test(name)) return;
    if (/^(-webkit-|-moz-|-o-)?keyframes$/.test(name)) {
      book.animations.set(prelude.replaceAll(/^["']|["']$/g, ""), readEnd(block));
      return;
    }
    if (name === "property") {
      book.registered.set(prelude, readRegistered(block));
      return;
    }
    const inside = enter(book, name, prelude, place);
    if (inside.certainty === NO) return;
    if (place.parents !== null) add(place.parents, block.declarations, inside);
    visit(block.rules, inside);
  };

  visit(sheet.rules, { certainty, layer: book.root, parents: null });
}

/** At-rules whose blocks do not style elements permanently. */
const HARMLESS =
  /^(charset|color-profile|counter-style|font-face|font-feature-values|font-palette-values|function|namespace|page|position-try|starting-style|view-transition|viewport|-ms-viewport)$/;

/** The place of the rules inside a grouping at-rule. */
function enter(book: RuleBook, name: string, prelude: string, place: Place): Place {
  if (name === "media") return { ...place, certainty: both(place.certainty, appliesToScreen(prelude)) };
  if (name === "supports") return { ...place, certainty: both(place.certainty, isSupported(prelude)) };
  if (name === "layer")
    return { ...place, layer: findLayer(place.layer, prelude || ` ${book.anonymousLayers++}`) };
  // A container's size is not known here, the reach of a scope is not worked out, and other at-rules are not understood.
  return { ...place, certainty: PERHAPS };
}

function findLayer(from: Layer, path: string): Layer {
  let layer = from;
  for (const name of path.split(".")) {
    const next = layer.layers.get(name) ?? { layers: new Map<string, Layer>(), rank: 0 };
    layer.layers.set(name, next);
    layer = next;
  }
  return layer;
}

/** A layer's own rules win over its inner layers, and later layers over earlier ones (CSS Cascade 5, section 6.4). */
export function rankLayers(root: Layer): void {
  let rank = 0;
  const visit = (layer: Layer) => {
    for (const inner of layer.layers.values()) visit(inner);
    layer.rank = rank++;
  };
  visit(root);
}

/** Pseudo-elements that browsers know; they ignore a rule with any other. */
const PSEUDO_ELEMENTS =
  /^(before|after|first-line|first-letter|selection|placeholder|marker|backdrop|file-selector-button|cue|details-content|slotted|part|highlight|spelling-error|grammar-error|target-text|view-transition.*|scroll-.*|-webkit-.*)$/i;

function compileList(
  prelude: string,
  { parents }: Place,
  scope: SheetScope,
): { selectors: readonly Selector[]; isKnown: boolean } {
  let isKnown = true;
  const selectors = splitCommas(prelude).flatMap((text): Selector[] => {
    if (isForAnotherPage(text, scope)) return [];
    const isRelative = parents !== null && !/&/.test(text);
    const compiled = compileSelector(isRelative ? `& ${text}` : text, { ...scope, parents, isScope: isRoot });
    if (compiled === undefined) {
      isKnown = false;
      return [{ matches: () => PERHAPS, specificity: 0, key: undefined, pseudoElement: null }];
    }
    const { pseudoElement } = compiled;
    if (pseudoElement !== null && !PSEUDO_ELEMENTS.test(pseudoElement)) isKnown = false;
    if (pseudoElement !== null && !/^first-l/i.test(pseudoElement) && !BESIDE.test(pseudoElement)) return [];
    return [compiled];
  });
  return { selectors, isKnown };
}

/** A selector without brackets and escapes, made of names, classes, ids and states that every browser knows. */
const COMPOUND =
  "(?:(?:[a-z][\\w-]*|\\*)(?:[.#][a-z_][\\w-]*)*|(?:[.#][a-z_][\\w-]*)+)(?::(?:hover|focus|active|visited|link|first-child|last-child|focus-visible|focus-within)|::?(?:before|after))*";
const PLAIN_SELECTOR = new RegExp(`^${COMPOUND}(?:(?:\\s*[>+~]\\s*|\\s+)${COMPOUND})*$`, "i");
const NAMED = /[.#][\w-]+/g;

/** Whether a selector names a class or an id that no element has: sites send one sheet for all of their pages. */
function isForAnotherPage(text: string, { isQuirks, isOnPage }: SheetScope): boolean {
  if (!PLAIN_SELECTOR.test(text)) return false;
  const keys = text.match(NAMED) ?? [];
  return keys.some((key) => !isOnPage(isQuirks ? key.toLowerCase() : key));
}

const BESIDE = /^(before|after)$/i;

/** Whether a rule puts a painted area over a whole box or under it; which of the two depends on other elements. */
function fillsParent(declarations: readonly Declaration[]): boolean {
  const values = new Map(declarations.map(({ property, value }) => [property, value.trim().toLowerCase()]));
  const isZero = (property: string) => /^-?0(px|%)?( 0(px|%)?)*$/.test(values.get(property) ?? "");
  const isWhole = (property: string) => /^100(%|v[wh])$/.test(values.get(property) ?? "");
  const spans =
    isZero("inset") ||
    ((isZero("left") || isZero("right")) &&
      (isZero("top") || isZero("bottom")) &&
      (isWhole("width") || (isZero("left") && isZero("right"))) &&
      (isWhole("height") || (isZero("top") && isZero("bottom"))));
  const ground = `${values.get("background") ?? ""}${values.get("background-color") ?? ""}${values.get("background-image") ?? ""}`;
  const isPainted = ground !== "" && !/^(none|transparent|inherit|initial|unset)+$/.test(ground);
  const isFaint =
    /^0?\.\d|^0$|^\d{1,2}%/.test(values.get("opacity") ?? "") ||
    /^rgba?\(.*[,/]\s*0?\.[0-8]\d*\s*\)$/.test(ground);
  // With a negative depth it lies behind the text.
  const isBehind = Number(values.get("z-index")) < 0;
  const isPlaced = /^(absolute|fixed)$/.test(values.get("position") ?? "");
  return isPlaced && spans && isPainted && !isFaint && !isBehind;
}

function readEnd({ rules }: SheetBlock): AnimationEnd {
  const set = (steps: typeof rules) =>
    steps
      .flatMap(({ block }) => block?.declarations ?? [])
      .map(({ property, value }) => `${property}:${value}`);
  const last = rules.filter(({ prelude }) => /(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i.test(prelude));
  if (set(last).some((declaration) => HIDES.test(declaration))) return "hides";
  return set(rules).some((declaration) => SHOWS.test(declaration)) ? "shows" : "neither";
}

const SHOWS = /^(?:opacity:(?!0*\.?0*%?$)|visibility:visible|transform:|translate:|scale:)/;
const HIDES =
  /^(?:opacity:0*\.?0+%?$|visibility:(?:hidden|collapse)|display:none|font-size:0|(?:color|-webkit-text-fill-color):|(?:left|right|top|bottom|text-indent):-?\d{3})/;

function readRegistered({ declarations }: SheetBlock): RegisteredProperty {
  const read = (name: string) => declarations.findLast(({ property }) => property === name)?.value;
  return { initial: read("initial-value") ?? null, inherits: read("inherits") !== "false" };
}
