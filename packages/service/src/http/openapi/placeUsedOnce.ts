import type { JsonSchema } from "@assay/protocol";
import type { Components } from "./createComponents.js";

type Parts = Components["all"];

const REFERENCE = /^#\/components\/(parameters|headers|responses|examples)\/(.+)$/;

interface Referring {
  readonly paths: unknown;
  readonly components: Parts;
}

/**
 * Puts a part that is referred to once where it is used: a reference and a name for it take more room than they save, and the
 * document has to stay small. Schemas keep their names, after which generators name types.
 */
export function placeUsedOnce<D extends Referring>(document: D): D {
  const { components } = document;
  const uses = new Map<string, number>();
  const read = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.forEach(read);
    if (typeof part !== "object" || part === null) return undefined;
    const { $ref } = part as { readonly $ref?: unknown };
    if (typeof $ref === "string") uses.set($ref, (uses.get($ref) ?? 0) + 1);
    return Object.values(part).forEach(read);
  };
  read([document.paths, components]);
  const place = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(place);
    if (typeof part !== "object" || part === null) return part;
    const { $ref } = part as { readonly $ref?: unknown };
    const found = typeof $ref === "string" && uses.get($ref) === 1 ? findPart(components, $ref) : undefined;
    if (found) return place(found);
    return Object.fromEntries(Object.entries(part).map(([name, inside]) => [name, place(inside)]));
  };
  const kept = Object.entries(components).map(([kind, parts]) => {
    const isKept = ([name]: [string, unknown]) =>
      !REFERENCE.test(`#/components/${kind}/${name}`) || uses.get(`#/components/${kind}/${name}`) !== 1;
    return [
      kind,
      Object.fromEntries(
        Object.entries(parts)
          .filter(isKept)
          .map(([name, one]) => [name, place(one)]),
      ),
    ];
  });
  return { ...document, paths: place(document.paths), components: Object.fromEntries(kept) };
}

function findPart(components: Parts, reference: string): JsonSchema | undefined {
  const [, kind, name] = REFERENCE.exec(reference) ?? [];
  return kind === undefined || name === undefined ? undefined : components[kind as keyof Parts][name];
}
