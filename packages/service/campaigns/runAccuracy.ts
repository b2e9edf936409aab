import { getCapability } from "@assay/capabilities";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import { gatherer } from "@assay/capabilities/transaction.intent.guard/gather/gather";
import { rule } from "@assay/capabilities/transaction.intent.guard/rule";
import type { Chain } from "@assay/chain";
import { isHeldOut } from "./accuracy/accuracyWorld.js";
import type { AccuracyCase } from "./accuracy/caseTools.js";
import { listCases } from "./accuracy/listCases.js";
import { type AccuracyPackages, useAccuracyWorld } from "./accuracy/useAccuracyWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";

export interface AccuracyOptions extends CampaignOptions, AccuracyPackages {
  /** Asks only about every n-th case; 1 by default. */
  readonly every?: number;
  readonly onAnswer?: (answer: Answer) => void;
}

export interface Answer extends AccuracyCase {
  readonly verdict: "allow" | "review" | "block";
  readonly reasonCodes: readonly string[];
  readonly summary: string;
  readonly isHeldOut: boolean;
}

export interface AccuracySummary extends CampaignSummary {
  readonly packaged: boolean;
  /** Verdicts by group, for each half. */
  readonly tuned: Tally;
  readonly heldOut: Tally;
  /** Hostile answers with the verdict and the reasons of an honest one. */
  readonly indistinct: readonly string[];
}

/** Honest and hostile transactions of published protocols: what the guard says of each. */
export function runAccuracy(options: AccuracyOptions): Promise<AccuracySummary> {
  return useAccuracyWorld(options, async (chain, world, setup) => {
    await world.devnet.mine();
    const answers: Answer[] = [];
    const cases = listCases(world, setup).filter((_, index) => index % (options.every ?? 1) === 0);
    for (const one of cases) {
      const answer = await ask(chain, one);
      options.onAnswer?.(answer);
      answers.push(answer);
      if (answers.length % 50 === 0) options.onProgress?.(`accuracy: ${answers.length} answers`);
    }
    return summarize(options, answers);
  });
}

async function ask(chain: Chain, one: AccuracyCase): Promise<Answer> {
  const { from, to, data, value } = one.transaction;
  const input = getCapability("transaction.intent.guard").input.parse({
    from,
    to,
    data,
    value: value.toString(),
  });
  const context = createGatherContext(chain, await chain.latestBlock());
  const { readings } = await gatherer.gather(context, input);
  const { verdict, reasonCodes, summary } = rule.evaluate(
    input,
    rule.readings.parse(JSON.parse(JSON.stringify(readings))),
  );
  return { ...one, verdict, reasonCodes, summary, isHeldOut: isHeldOut(one.name) };
}

function summarize({ seed, packaged }: AccuracyOptions, answers: readonly Answer[]): AccuracySummary {
  const [tuned, heldOut] = [new Tally(), new Tally()];
  for (const { group, verdict, isHeldOut: held } of answers)
    (held ? heldOut : tuned).add(`${group} ${verdict}`);
  const keyOf = ({ verdict, reasonCodes }: Answer) => `${verdict} ${[...reasonCodes].sort().join(" ")}`;
  const honest = new Set(answers.filter(({ group }) => group === "honest").map(keyOf));
  const indistinct = answers.filter((answer) => answer.group !== "honest" && honest.has(keyOf(answer)));
  const wrong = answers.filter(({ group, verdict }) =>
    group === "honest" ? verdict === "block" : verdict === "allow",
  );
  return {
    campaign: "accuracy",
    seed,
    packaged,
    tuned,
    heldOut,
    indistinct: indistinct.map(({ name }) => name),
    violations: wrong.map(({ name, verdict, reasonCodes }) => `${name}: ${verdict} ${reasonCodes.join(" ")}`),
  };
}
