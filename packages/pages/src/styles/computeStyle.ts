import { lexer } from "css-tree";
import { type CustomScope, findCustom, openScope, substitute } from "./customProperties.js";
import { expandShorthand } from "./expandShorthand.js";
import type { RegisteredProperty } from "./listRules.js";
import { BLACK, parseColour } from "./parseColour.js";
import type { Declaration } from "./parseSheet.js";
import { INHERITED, isLonghand, isShorthand, plainName } from "./watchedProperties.js";

/** An element's watched properties after the cascade. */
export interface ComputedStyle {
  /** Undefined where no declaration applies: then it is the initial value, or the parent's for inherited properties. */
  get(property: string): string | undefined;
  /** Properties with a value that is not understood and may apply instead of the one that `get` returns. */
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
}

type ValueKind = "valid" | "invalid" | "unclear";

/** Combines declarations, weakest first, into one style. `revert` goes back to those of `browser`. */
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
      const fallback = own.get(property);
      if (fallback === undefined) values.delete(property);
      else values.set(property, fallback);
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
    // It becomes invalid only when it is computed, after it has already replaced the weaker declarations.
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
/** Properties that are parsed here in newer forms than the grammar of css-tree has. */
const READ_HERE =
  /^(background.*|color|.*-color|mask.*|filter|backdrop-filter|transform|text-shadow|content|animation.*)$/;
const MAX_VALUE_CHARACTERS = 2_000;
const MAX_KNOWN = 20_000;
/** Results of checking values, by property and value: most values are used on many elements of many pages. */
const checked = new Map<string, ValueKind>();

/** Whether browsers accept a value: they ignore a declaration that does not match the property's grammar. */
function checkValue(property: string, value: string, { isQuirks }: StyleAround): ValueKind {
  if (
    LENGTHS.test(property) &&
    SIMPLE_LENGTH.test(value) &&
    !/^(padding|width|height|font-size)/.test(property)
  )
    return "valid";
  const key = `${isQuirks ? "q" : ""}${property}:${value}`;
  const known = checked.get(key);
  if (known !== undefined) return known;
  if (checked.size >= MAX_KNOWN) checked.clear();
  const result = checkUncached(property, value, isQuirks);
  checked.set(key, result);
  return result;
}

function checkUncached(property: string, value: string, isQuirks: boolean): ValueKind {
  if (/^(inherit|initial|unset|revert|revert-layer)$/.test(value)) return "valid";
  if (value === "" || property === "all") return "invalid";
  if (
    /color$/.test(property) &&
    parseColour(value, { current: BLACK, isDark: false, isQuirks }) !== undefined
  )
    return "valid";
  // Lengths without a unit are accepted in quirks mode (Quirks Mode, section 3.2).
  if (isQuirks && LENGTHS.test(property) && /^[+-]?[\d.]+(\s+[+-]?[\d.]+)*$/.test(value)) return "valid";
  // Only a picture in a data URL is that long and still understood.
  if (value.length > MAX_VALUE_CHARACTERS) return READ_HERE.test(property) ? "valid" : "unclear";
  const { error } = lexer.matchProperty(property, value);
  if (error === null || /^Unknown property/.test(error.message)) return "valid";
  if (!value.includes("(")) return "invalid";
  return READ_HERE.test(property) ? "valid" : "unclear";
}
