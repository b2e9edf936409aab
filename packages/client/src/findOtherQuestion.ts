import { type CapabilityId, getCapability } from "@assay/capabilities";
import { canonicalJson } from "@assay/protocol";

/**
 * How the question of an answer differs from the one asked; undefined when they are the same. A signature only shows that
 * the service once gave the answer; this shows that it was given to this question.
 */
export function findOtherQuestion(
  answer: { readonly capabilityId: string; readonly result: { readonly evidence: object } },
  id: CapabilityId,
  asked: object,
): string | undefined {
  if (answer.capabilityId !== id) return `It is an answer of ${answer.capabilityId}, but ${id} was asked.`;
  const { input } = answer.result.evidence as { readonly input?: unknown };
  return findOtherInput(id, Object(input), asked);
}

/** The same for the input alone. */
export function findOtherInput(id: CapabilityId, given: object, asked: object): string | undefined {
  const [found, expected] = [given, asked].map(
    (input) => getCapability(id).input.safeParse(toPlain(input)).data,
  );
  if (!found || !expected) return `The inputs cannot be compared: one of them is not an input of ${id}.`;
  const [one, other] = [found, expected] as Readonly<Record<string, unknown>>[];
  const name = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].find(
    (field) => canonicalJson(one?.[field] ?? null) !== canonicalJson(other?.[field] ?? null),
  );
  return name && `It is about another ${name}.`;
}

/** Without the fields that were left out, as undefined or as null. */
const toPlain = (input: object) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
