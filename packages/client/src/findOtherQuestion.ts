import { type CapabilityId, canonicalJson, capabilityInputs } from "@assay/protocol";

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
  const parsed = capabilityInputs[id].safeParse(asked);
  if (!parsed.success) return `What was asked is no question of ${id}.`;
  const normalized: Readonly<Record<string, unknown>> = parsed.data;
  const { input } = answer.result.evidence as { readonly input?: unknown };
  const judged = Object(input) as Readonly<Record<string, unknown>>;
  const other = [...new Set([...Object.keys(normalized), ...Object.keys(judged)])].find(
    (name) => canonicalJson(judged[name] ?? null) !== canonicalJson(normalized[name] ?? null),
  );
  return other && `It is about another ${other}.`;
}
