type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface Mutation {
  /** Where, with array places as `[]`, so that elements of one list share a name. */
  readonly field: string;
  readonly what: string;
  /** A copy of the whole value with this one change. */
  apply(): unknown;
}

/**
 * Small changes to a JSON value, each of one place: another character, digit, letter case or length of a string,
 * a neighbouring number, the other boolean, something for null, an element more or less, a member left out.
 * Strings in a field of `everyCharacter` are changed at each of their characters, others at two. Of values in a field of
 * `briefly` there is one change, of another kind from value to value, and one of every sixth character.
 */
export function listMutations(root: unknown, everyCharacter: RegExp, briefly?: RegExp): Mutation[] {
  const found: Mutation[] = [];
  let turn = 0;
  const choose = (field: string, variants: readonly Variant[]) => {
    if (!briefly?.test(field)) return variants;
    turn += 1;
    const first = turn % Math.min(variants.length, CHOSEN_OF);
    return variants.filter((_, place) => place % CHOSEN_OF === first);
  };
  const visit = (value: Json, path: readonly (string | number)[]) => {
    const field = path.map((key) => (typeof key === "number" ? "[]" : key)).join(".");
    const add = (what: string, next: Json | undefined) =>
      found.push({ field, what, apply: () => replaceAt(root as Json, path, next) });
    for (const [what, next] of choose(field, listVariants(value, everyCharacter.test(field))))
      add(what, next);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const [place, item] of value.entries()) visit(item, [...path, place]);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      found.push({
        field: [field, key].filter(Boolean).join("."),
        what: "left out",
        apply: () => replaceAt(root as Json, [...path, key], undefined),
      });
      visit(item, [...path, key]);
    }
  };
  visit(root as Json, []);
  return found;
}

/** More than the changes of any value that is not changed at each character, two of them for one character. */
const CHOSEN_OF = 12;

type Variant = readonly [what: string, next: Json];

function listVariants(value: Json, everyCharacter: boolean): Variant[] {
  if (value === null) return ["x", {}].map((next) => ["no longer null", next]);
  if (typeof value === "boolean") return [["negated", !value]];
  if (typeof value === "number")
    return [
      ["one more", value + 1],
      ["a little more", value + 0.001],
    ];
  if (typeof value === "string") return listTextVariants(value, everyCharacter);
  if (!Array.isArray(value)) return [];
  const [first = "x"] = value;
  return [["an element more", [...value, first]], ...(value.length > 0 ? [dropLast(value)] : [])];
}

const dropLast = (value: readonly Json[]): Variant => ["an element less", value.slice(0, -1)];

function listTextVariants(text: string, everyCharacter: boolean): Variant[] {
  const last = text.length - 1;
  // The middle of a date is its hour, and 23 has no valid neighbour; every millisecond has one.
  const middle = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(text) ? last - 1 : last >> 1;
  const places = everyCharacter ? Array.from(text, (_, place) => place) : [middle, last];
  const changed = [...new Set(places)].flatMap((place): Variant[] => {
    const char = text.charAt(place);
    return [neighbourOf(char), otherCase(char)]
      .filter((next) => next !== char)
      .map((next) => [
        `character ${place} ${char} → ${next}`,
        text.slice(0, place) + next + text.slice(place + 1),
      ]);
  });
  return [...changed, ["longer", `${text}0`]];
}

const otherCase = (char: string) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase());

/** A character of the same kind: a digit for a digit, a hex letter for a hex letter. */
function neighbourOf(char: string): string {
  if (/[0-8a-eA-E]/.test(char)) return String.fromCharCode(char.charCodeAt(0) + 1);
  if (char === "9") return "0";
  if (/[fF]/.test(char)) return char === "f" ? "a" : "A";
  return char === "x" ? "y" : "x";
}

function replaceAt(root: Json, path: readonly (string | number)[], next: Json | undefined): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const copy = Array.isArray(root) ? [...root] : { ...(root as Record<string, Json>) };
  const members = copy as Record<string | number, unknown>;
  const inner = replaceAt(members[key] as Json, rest, next);
  if (inner === undefined) delete members[key];
  else members[key] = inner;
  return copy;
}
