import {
  capabilities,
  type Evaluation,
  type FormerWording,
  findCapability,
  findFormerRule,
  type ListedCapability,
  loadFormerRules,
  type ProvableAccount,
  type Rule,
} from "@assay/capabilities";

/** What a rule concludes from a recorded input and recorded readings. */
export interface Reevaluation {
  readonly evaluation: Evaluation;
  /** What a proof of the block's state must show for the readings to be true. */
  readonly facts: readonly ProvableAccount[];
  /** Sentences that the rule once used, each with the one in its place today. */
  readonly formerWording: FormerWording;
}

/** Parses the recorded values, then judges them as the service did. Throws when they are not input and readings of the rule. */
export type Reevaluate = (input: unknown, readings: unknown) => Reevaluation;

/** Loads the rule of every capability, so that any answer can then be checked without a network. */
export async function loadEveryRule(): Promise<void> {
  await Promise.all([...capabilities.map((capability) => capability.loadRule()), loadFormerRules()]);
}

/** The rule of exactly this version, today's or a former one; undefined when this client does not have it. */
export async function findReevaluation({
  id,
  version,
}: {
  readonly id: string;
  readonly version: string;
}): Promise<Reevaluate | undefined> {
  const capability = findCapability(id);
  const today = await capability?.loadRule();
  if (capability && today && version === (today.ruleVersion ?? capability.version))
    return bind(capability.input, today);
  const former = await findFormerRule(id, version);
  return former && bind(former.input, former.rule);
}

const bind =
  (
    inputSchema: ListedCapability["input"],
    { readings: schema, evaluate, listFacts, formerWording = {} }: Rule,
  ): Reevaluate =>
  (givenInput, givenReadings) => {
    // Each rule judges only what its own schemas have parsed, so the types may be erased here.
    const input = inputSchema.parse(givenInput) as never;
    const readings = schema.parse(givenReadings);
    return { evaluation: evaluate(input, readings), facts: listFacts(input, readings), formerWording };
  };
