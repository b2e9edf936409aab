import { type Evaluation, findCapability, type ProvableAccount } from "@assay/capabilities";

/** What follows from a recorded input and recorded readings by one rule. */
export interface Reevaluation {
  readonly evaluation: Evaluation;
  /** What a proof of the block's state must show for the readings to be true. */
  readonly facts: readonly ProvableAccount[];
}

/** Parses what is recorded, then judges it as the service did. Throws when it is not what the rule judges. */
export type Reevaluate = (input: unknown, readings: unknown) => Reevaluation;

/** The rule of exactly this version, if this client holds it. */
export async function findReevaluation(rule: {
  readonly id: string;
  readonly version: string;
}): Promise<Reevaluate | undefined> {
  const capability = findCapability(rule.id);
  if (capability?.version !== rule.version) return undefined;
  const { readings: schema, evaluate, listFacts } = await capability.loadRule();
  return (givenInput, givenReadings) => {
    // Each rule judges only what its own schemas have parsed, so the types may be erased here.
    const input = capability.input.parse(givenInput) as never;
    const readings = schema.parse(givenReadings);
    return { evaluation: evaluate(input, readings), facts: listFacts(input, readings) };
  };
}
