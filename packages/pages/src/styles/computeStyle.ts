import { lexer } from "css-tree";
import { type CustomScope, findCustom, openScope, substitute } from "./customProperties.js";
import { expandShorthand } from "./expandShorthand.js";
import type { RegisteredProperty } from "./listRules.js";
import { BLACK, parseColour } from "./parseColour.js";
import type { Declaration } from "./parseSheet.js";
import { INHERITED, isLonghand, isShorthand, plainName } from "./watchedProperties.js";

/** An element's watched properties as the cascade leaves them. */
export interface ComputedStyle {
  /** Undefined where nothing is said: the initial value, or that of the parent for what is inherited. */
  get(property: string): string | undefined;
  /** Properties whose value is not understood and may hold in place of the one that `get` tells. */
  readonly unclear: ReadonlySet<string>;
  readonly custom: CustomScope;
  /** Whether any property of a kind is set. */
  sets(isKind: (property: string) => boolean): boolean;
}

export interface StyleAround {
  readonly custom: CustomScope;
  readonly style: Pick<ComputedStyle, "get">;
  readonly registered: ReadonlyMap<string, RegisteredProperty>;
  readonly isQuirks: boolean;
  /** What values of the page were found to be, by property and value: most stand on many elements. */
  readonly checked: Map<string, ValueKind>;
}

export type ValueKind = "valid" | "invalid" | "unclear";

/** Puts declarations, weakest first, into one style. `browser` are those that `revert` goes back to. */
export function computeStyle(
  around: StyleAround,
  browser: readonly Declaration[],
  page: readonly Declaration[],
): ComputedStyle {
  const declared = new Map<string, string>();
  for (const { property, value } of page) if (property.startsWith("--")) declared.set(property, value);
  const custom = openScope(declared, around.custom, around.registered);
  const values = new Map<string, string>();
  const unclear = new Set<string>();
  const own = new Map(browser.map(({ property, value }) => [property, value]));
  for (const [property, value] of own) values.set(property, value);

  const set = (property: string, value: string) => {
    if (!isLonghand(property)) return;
    unclear.delete(property);
    const initial = INHERITED.get(property);
    const revert = () => {
      const usual = own.get(property);
      if (usual === undefined) values.delete(property);
      else values.set(property, usual);
    };
    if (value === "inherit" || (value === "unset" && initial !== undefined)) {
      const parents = initial === undefined ? around.style.get(property) : undefined;
      if (parents === undefined) values.delete(property);
      else values.set(property, parents);
    } else if (value === "initial" || value === "unset") {
      if (initial === undefined) values.delete(property);
      else values.set(property, initial);
    } else if (value === "revert") revert();
    else if (value === "revert-layer") unclear.add(property);
    else values.set(property, value);
  };

  const apply = (property: string, given: string) => {
    const value = /\bvar\(/i.test(given)
      ? substitute(given, (name) => findCustom(name, custom, around.registered))
      : given;
    // Invalid only once it is computed, when what it would have overruled is forgotten already.
    if (value === undefined) {
      for (const [name] of isShorthand(property) ? expandShorthand(property, "unset") : [[property]])
        set(name ?? property, "unset");
      return;
    }
    const plain = value.trim();
    const kind = checkValue(property, plain, around);
    if (kind === "invalid") return;
    if (kind === "unclear") {
      for (const [name] of isShorthand(property) ? expandShorthand(property, "unset") : [[property]])
        if (name !== undefined) unclear.add(name);
      return;
    }
    if (property === "all") {
      for (const name of new Set([...values.keys(), ...INHERITED.keys(), ...own.keys()])) set(name, plain);
    } else if (isShorthand(property))
      for (const [name, part] of expandShorthand(property, plain)) set(name, part);
    else set(property, plain);
  };

  for (const { property, value } of page) if (!property.startsWith("--")) apply(plainName(property), value);
  return {
    get: (property) => values.get(property),
    unclear,
    custom,
    sets: (isKind) => [...values.keys(), ...unclear].some(isKind),
  };
}

const SIMPLE_LENGTH = /^[+-]?(\d+\.?\d*|\.\d+)(px|em|rem|%|vw|vh|pt)$|^0$|^auto$|^none$/;
const LENGTHS =
  /^(left|right|top|bottom|inset.*|margin.*|padding.*|width|height|m(ax|in)-(width|height)|text-indent|font-size)$/;
/** Read here in newer forms than the published grammar has. */
const READ_HERE =
  /^(background.*|color|.*-color|mask.*|filter|backdrop-filter|transform|text-shadow|content|animation.*)$/;
const LONGEST_VALUE = 2_000;
const KNOWN_MAX = 20_000;

/** What browsers make of a value: they drop a declaration that breaks the property's grammar as if it were not there. */
function checkValue(property: string, value: string, { isQuirks, checked }: StyleAround): ValueKind {
  if (
    LENGTHS.test(property) &&
    SIMPLE_LENGTH.test(value) &&
    !/^(padding|width|height|font-size)/.test(property)
  )
    return "valid";
  const key = `${isQuirks ? "q" : ""}${property}:${value}`;
  const known = checked.get(key);
  if (known !== undefined) return known;
  if (checked.size >= KNOWN_MAX) checked.clear();
  const result = checkAnew(property, value, isQuirks);
  checked.set(key, result);
  return result;
}

function checkAnew(property: string, value: string, isQuirks: boolean): ValueKind {
  if (/^(inherit|initial|unset|revert|revert-layer)$/.test(value)) return "valid";
  if (value === "" || property === "all") return "invalid";
  if (
    /color$/.test(property) &&
    parseColour(value, { current: BLACK, isDark: false, isQuirks }) !== undefined
  )
    return "valid";
  // Lengths without a unit, where old pages are shown as they were (Quirks Mode, section 3.2).
  if (isQuirks && LENGTHS.test(property) && /^[+-]?[\d.]+(\s+[+-]?[\d.]+)*$/.test(value)) return "valid";
  // A picture may be written out in its URL; nothing else that can be understood is that long.
  if (value.length > LONGEST_VALUE) return READ_HERE.test(property) ? "valid" : "unclear";
  const { error } = lexer.matchProperty(property, value);
  if (error === null || /^Unknown property/.test(error.message)) return "valid";
  if (!value.includes("(")) return "invalid";
  return READ_HERE.test(property) ? "valid" : "unclear";
}
