import type { RegisteredProperty } from "./listRules.js";
import { closeOf } from "./splitCss.js";

/** The custom properties of an element: its own, then those of its ancestors. */
export interface CustomScope {
  readonly own: ReadonlyMap<string, string | null>;
  readonly around: CustomScope | null;
}

export const NO_CUSTOM: CustomScope = { own: new Map(), around: null };

/** No honest page has longer values, or values that refer to more others. */
const MAX_CHARACTERS = 4_000;
const MAX_STEPS = 2_000;
/** Replaces such a value: a function that no property accepts, so it counts as not understood wherever it is used. */
const TOO_LONG = "too-long()";

export function findCustom(
  name: string,
  scope: CustomScope,
  registered: ReadonlyMap<string, RegisteredProperty>,
): string | null {
  const known = registered.get(name);
  for (let at: CustomScope | null = scope; at !== null; at = known?.inherits === false ? null : at.around) {
    const value = at.own.get(name);
    if (value !== undefined) return value ?? known?.initial ?? null;
  }
  return known?.initial ?? null;
}

/** The scope inside an element that declares these, with references resolved; null marks an invalid property. */
export function openScope(
  declared: ReadonlyMap<string, string>,
  around: CustomScope,
  registered: ReadonlyMap<string, RegisteredProperty>,
): CustomScope {
  if (declared.size === 0) return around;
  const own = new Map<string, string | null>();
  const open = new Set<string>();
  let steps = 0;
  const resolve = (name: string): string | null => {
    const done = own.get(name);
    if (done !== undefined) return done;
    const given = declared.get(name);
    if (given === undefined) return findCustom(name, around, registered);
    // A cycle makes all of its properties invalid (CSS Variables 1, section 2.3).
    if (open.has(name)) return null;
    if (open.size > 50 || ++steps > MAX_STEPS) return TOO_LONG;
    if (/^(inherit|unset|revert|revert-layer)$/i.test(given)) return findCustom(name, around, registered);
    if (/^initial$/i.test(given)) return registered.get(name)?.initial ?? null;
    open.add(name);
    const value = substitute(given, resolve);
    open.delete(name);
    return value ?? null;
  };
  for (const name of declared.keys()) own.set(name, resolve(name));
  return { own, around };
}

/** A value with every `var()` replaced; undefined where one refers to nothing. */
export function substitute(value: string, find: (name: string) => string | null): string | undefined {
  let text = value;
  for (let round = 0; round < MAX_STEPS; round++) {
    const start = text.search(/\bvar\(/i);
    if (start < 0) return text;
    const end = closeOf(text, start + 3);
    const inside = text.slice(start + 4, end);
    const comma = inside.indexOf(",");
    const name = (comma < 0 ? inside : inside.slice(0, comma)).trim();
    const found = find(name) ?? (comma < 0 ? undefined : inside.slice(comma + 1).trim());
    if (found === undefined) return undefined;
    text = `${text.slice(0, start)}${found}${text.slice(end + 1)}`;
    if (text.length > MAX_CHARACTERS) return TOO_LONG;
  }
  return TOO_LONG;
}
