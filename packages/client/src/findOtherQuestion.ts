import { type CapabilityId, getCapability } from "@assay/capabilities";
import { canonicalJson } from "@assay/protocol";

/**
 * What an answer says of another question than the one asked; undefined when it is the same. A signature shows that the
 * service gave an answer once, to somebody: only this shows that it was to this question.
 */
export function findOtherQuestion(
  answer: { readonly capabilityId: string; readonly result: { readonly evidence: object } },
  id: CapabilityId,
  asked: object,
): string | undefined {
  if (answer.capabilityId !== id) return `It is an answer of ${answer.capabilityId}, and ${id} was asked.`;
  const { input } = answer.result.evidence as { readonly input?: unknown };
  return findOtherInput(id, Object(input), asked);
}

/** The same, where only the input is known. */
export function findOtherInput(id: CapabilityId, given: object, asked: object): string | undefined {
  const [found, expected] = [given, asked].map(
    (input) => getCapability(id).input.safeParse(toPlain(input)).data,
  );
  if (!found || !expected) return `That both are the same question of ${id} cannot be told.`;
  const [one, other] = [found, expected] as Readonly<Record<string, unknown>>[];
  const name = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].find(
    (field) => canonicalJson(one?.[field] ?? null) !== canonicalJson(other?.[field] ?? null),
  );
  return name && `It is about another ${name}.`;
}

/** Fields that were left out, in any of the ways a caller may leave them out. */
const toPlain = (input: object) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
