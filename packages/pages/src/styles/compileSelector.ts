import { type CssNode, ident, parse } from "css-tree";
import { both, type Certainty, certaintyOf, either, NO, PERHAPS, YES } from "./certainty.js";
import type { TreeElement } from "./elementTree.js";
import { matchPseudoClass } from "./pseudoClasses.js";

export type Matcher = (element: TreeElement) => Certainty;

export interface Selector {
  readonly matches: Matcher;
  /** Ids, then classes, then names, each below a thousand. */
  readonly specificity: number;
  /** What an element must have to match: `#id`, `.class` or a name; undefined where any element may match. */
  readonly key: string | undefined;
  /** The part of the element that is styled; null for the element itself. */
  readonly pseudoElement: string | null;
}

/** The surroundings in which a selector is compiled. */
export interface SelectorScope {
  readonly isQuirks: boolean;
  /** The selectors that `&` refers to; null outside of other rules. */
  readonly parents: readonly Selector[] | null;
  /** The elements that `:scope` refers to. */
  readonly isScope: Matcher;
  /** Called once per element that is compared; throws when there were too many. */
  countTest(): void;
}

interface Compound {
  readonly tests: Matcher[];
  /** The combinator that joins it to the compound on its left. */
  combinator: string | null;
}

/** Compiles a selector into a test of an element; undefined where it cannot be parsed. */
export function compileSelector(text: string, scope: SelectorScope): Selector | undefined {
  try {
    const ast = parse(text, { context: "selector" });
    return ast.type === "Selector" ? compileNodes(ast.children.toArray(), scope) : undefined;
  } catch {
    return undefined;
  }
}

const IDS = 1e6;
const CLASSES = 1e3;

function compileNodes(nodes: readonly CssNode[], scope: SelectorScope): Selector | undefined {
  const compounds: Compound[] = [{ tests: [], combinator: null }];
  let specificity = 0;
  let key: string | undefined;
  let pseudoElement: string | null = null;
  for (const node of nodes) {
    const compound = compounds.at(-1);
    if (!compound) return undefined;
    if (node.type === "Combinator") {
      if (compounds.length > 1 && compound.tests.length === 0) return undefined;
      compounds.push({ tests: [], combinator: node.name });
      key = undefined;
    } else if (node.type === "PseudoElementSelector" || isOldPseudoElement(node)) {
      pseudoElement =
        node.type === "PseudoElementSelector" || node.type === "PseudoClassSelector" ? node.name : "";
      compound.tests.push(() => YES);
      specificity += 1;
    } else {
      const simple = compileSimple(node, scope);
      if (simple === undefined) return undefined;
      compound.tests.push(simple.matches);
      specificity += simple.specificity;
      key = simple.key?.startsWith("#") || key === undefined ? (simple.key ?? key) : key;
    }
  }
  if (compounds.at(-1)?.tests.length === 0) return undefined;
  return { matches: chain(compounds, scope), specificity, key, pseudoElement };
}

const isOldPseudoElement = (node: CssNode) =>
  node.type === "PseudoClassSelector" && /^(before|after|first-line|first-letter)$/i.test(node.name);

/** Matches from right to left, and tries every element that a combinator allows until one certainly matches. */
function chain(compounds: readonly Compound[], scope: SelectorScope): Matcher {
  const matchFrom = (index: number, element: TreeElement): Certainty => {
    scope.countTest();
    const compound = compounds[index];
    if (!compound) return YES;
    let own: Certainty = YES;
    for (const test of compound.tests) {
      own = both(own, test(element));
      if (own === NO) return NO;
    }
    if (index === 0) return own;
    const { combinator } = compound;
    let best: Certainty = NO;
    let other = combinator === " " || combinator === ">" ? element.parent : element.before;
    while (other !== null && best !== YES) {
      best = either(best, matchFrom(index - 1, other));
      if (combinator === ">" || combinator === "+") break;
      other = combinator === " " ? other.parent : other.before;
    }
    return both(own, best);
  };
  return (element) => matchFrom(compounds.length - 1, element);
}

type Simple = Pick<Selector, "matches" | "specificity" | "key">;

function compileSimple(node: CssNode, scope: SelectorScope): Simple | undefined {
  const fold = (text: string) => (scope.isQuirks ? text.toLowerCase() : text);
  if (node.type === "TypeSelector") {
    const name = ident.decode(node.name.replace(/^.*\|/, "")).toLowerCase();
    if (name === "*") return { matches: () => YES, specificity: 0, key: undefined };
    return { matches: (element) => certaintyOf(element.name === name), specificity: 1, key: name };
  }
  if (node.type === "IdSelector") {
    const id = fold(ident.decode(node.name));
    return { matches: (element) => certaintyOf(element.id === id), specificity: IDS, key: `#${id}` };
  }
  if (node.type === "ClassSelector") {
    const name = fold(ident.decode(node.name));
    return {
      matches: ({ classes }) => certaintyOf(classes.includes(name)),
      specificity: CLASSES,
      key: `.${name}`,
    };
  }
  if (node.type === "AttributeSelector")
    return { matches: compileAttribute(node), specificity: CLASSES, key: undefined };
  if (node.type === "NestingSelector") {
    const { parents } = scope;
    if (parents === null) return { matches: scope.isScope, specificity: 0, key: undefined };
    return { ...anyOf(parents), key: parents.length === 1 ? parents[0]?.key : undefined };
  }
  return node.type === "PseudoClassSelector" ? compilePseudoClass(node, scope) : undefined;
}

function anyOf(selectors: readonly Selector[]): Omit<Simple, "key"> {
  return {
    matches: (element) =>
      selectors.reduce<Certainty>(
        (best, { matches }) => (best === YES ? best : either(best, matches(element))),
        NO,
      ),
    specificity: Math.max(0, ...selectors.map(({ specificity }) => specificity)),
  };
}

/** The common attributes of HTML whose values selectors compare without case (HTML, section 4.16.2). */
const FOLDED = new Set(
  "align checked color dir disabled hidden lang language media method multiple readonly rel selected shape type".split(
    " ",
  ),
);

function compileAttribute(node: CssNode & { type: "AttributeSelector" }): Matcher {
  const name = ident.decode(node.name.name.replace(/^.*\|/, "")).toLowerCase();
  const { matcher, value } = node;
  if (matcher === null || value === null) return ({ element }) => certaintyOf(element.hasAttribute(name));
  const isFolded = node.flags?.toLowerCase() === "i" || (node.flags === null && FOLDED.has(name));
  const fold = (text: string) => (isFolded ? text.toLowerCase() : text);
  const wanted = fold(value.type === "String" ? value.value : ident.decode(value.name));
  const holds: Readonly<Record<string, (has: string) => boolean>> = {
    "=": (has) => has === wanted,
    "~=": (has) => wanted !== "" && has.split(/\s+/).includes(wanted),
    "|=": (has) => has === wanted || has.startsWith(`${wanted}-`),
    "^=": (has) => wanted !== "" && has.startsWith(wanted),
    "$=": (has) => wanted !== "" && has.endsWith(wanted),
    "*=": (has) => wanted !== "" && has.includes(wanted),
  };
  const test = holds[matcher];
  return ({ element }) => {
    const has = element.getAttribute(name);
    return has === null ? NO : test ? certaintyOf(test(fold(has))) : PERHAPS;
  };
}

const LISTS = /^(is|where|not|matches|any|-webkit-any|-moz-any)$/;

function compilePseudoClass(
  node: CssNode & { type: "PseudoClassSelector" },
  scope: SelectorScope,
): Simple | undefined {
  const name = node.name.toLowerCase();
  const inside = node.children?.toArray() ?? [];
  const selectors = () =>
    inside.flatMap((list) =>
      list.type === "SelectorList"
        ? list.children.toArray().map((each) => (each.type === "Selector" ? each.children.toArray() : []))
        : [],
    );
  if (LISTS.test(name)) {
    const compiled = selectors().map((nodes) => compileNodes(nodes, scope));
    // Browsers leave selectors they do not know out of such a list, except in `:not()`.
    const known = compiled.filter((each) => each !== undefined);
    if (name === "not" && known.length < compiled.length) return undefined;
    const { matches, specificity } = anyOf(known);
    return {
      matches: name === "not" ? (element) => (2 - matches(element)) as Certainty : matches,
      specificity: name === "where" ? 0 : specificity,
      key: name !== "not" && known.length === 1 ? known[0]?.key : undefined,
    };
  }
  if (name === "has") return compileHas(selectors(), scope);
  if (name === "scope") return { matches: scope.isScope, specificity: CLASSES, key: undefined };
  const nth = inside[0]?.type === "Nth" ? inside[0] : undefined;
  const of = (nth?.selector?.type === "SelectorList" ? nth.selector.children.toArray() : []).map((each) =>
    each.type === "Selector" ? compileNodes(each.children.toArray(), scope) : undefined,
  );
  if (of.some((each) => each === undefined)) return undefined;
  const counted = of.length === 0 ? undefined : anyOf(of.filter((each) => each !== undefined)).matches;
  const matches = matchPseudoClass(name, {
    nth: nth?.nth,
    counted,
    argument: inside[0],
    countTest: scope.countTest,
  });
  return { matches, specificity: CLASSES, key: undefined };
}

/** `:has()`: whether anything that the relative selector may reach from the element matches it. */
function compileHas(lists: readonly (readonly CssNode[])[], scope: SelectorScope): Simple | undefined {
  let anchor: TreeElement | undefined;
  const relative = lists.map((nodes) => {
    const first = nodes[0];
    const combinator = first?.type === "Combinator" ? first.name : " ";
    const rest = first?.type === "Combinator" ? nodes.slice(1) : nodes;
    const anchored: SelectorScope = {
      ...scope,
      parents: null,
      isScope: (element) => certaintyOf(element === anchor),
    };
    const joined: CssNode[] = [
      { type: "NestingSelector" },
      { type: "Combinator", name: combinator },
      ...rest,
    ];
    const selector = compileNodes(joined, anchored);
    return selector && { selector, combinator };
  });
  const known = relative.filter((each) => each !== undefined);
  if (known.length < relative.length || known.length === 0) return undefined;
  const matches: Matcher = (element) => {
    let best: Certainty = NO;
    const outer = anchor;
    for (const { selector, combinator } of known) {
      const isInside = combinator === " " || combinator === ">";
      const waiting = isInside ? [...element.children] : listAfter(element);
      for (let other = waiting.pop(); other !== undefined && best !== YES; other = waiting.pop()) {
        anchor = element;
        best = either(best, selector.matches(other));
        waiting.push(...other.children);
      }
    }
    anchor = outer;
    return best;
  };
  return {
    matches,
    specificity: Math.max(...known.map(({ selector }) => selector.specificity)),
    key: undefined,
  };
}

function listAfter(element: TreeElement): TreeElement[] {
  const siblings = element.parent?.children ?? [];
  return siblings.slice(siblings.indexOf(element) + 1);
}
