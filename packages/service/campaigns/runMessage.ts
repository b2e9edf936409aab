import { existsSync } from "node:fs";
import { getCapability } from "@assay/capabilities";
import { gatherer } from "@assay/capabilities/message.intent.guard/gather/gather";
import { rule } from "@assay/capabilities/message.intent.guard/rule";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import { type Chain, createChain } from "@assay/chain";
import { createDevnet } from "@assay/devnet";
import { createAccuracyWorld } from "./accuracy/accuracyWorld.js";
import { setUp } from "./accuracy/setUp.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { listHonest } from "./message/honestMessages.js";
import { listHostile } from "./message/hostileMessages.js";
import type { MessageCase } from "./message/messageCase.js";
import { prepareMessages } from "./message/messageWorld.js";

export interface MessageOptions extends CampaignOptions {
  /** Asks only about every n-th message; 1 by default. */
  readonly every?: number;
  /** The folder of `bench/accuracy`. */
  readonly folder: string;
  /** Whether to use the packages installed there. */
  readonly packaged: boolean;
  readonly onAnswer?: (answer: Answer) => void;
}

export interface Answer extends MessageCase {
  readonly verdict: "allow" | "review" | "block";
  readonly reasonCodes: readonly string[];
  readonly summary: string;
}

export interface MessageSummary extends CampaignSummary {
  readonly packaged: boolean;
  readonly verdicts: Tally;
  /** How many forms were asked about. */
  readonly kinds: number;
}

/** Honest and hostile messages of published protocols: what the guard says of each. */
export async function runMessage(options: MessageOptions): Promise<MessageSummary> {
  const devnet = await createDevnet({ blockTimeMs: 0 });
  const chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
  try {
    const packages = options.packaged ? options.folder : undefined;
    if (packages !== undefined && !existsSync(`${packages}/node_modules`))
      throw new Error(`the packages of ${packages} are not installed`);
    const accuracy = await createAccuracyWorld(devnet, packages);
    const world = await prepareMessages(accuracy, await setUp(accuracy));
    await devnet.mine();
    const cases = [...listHonest(world), ...listHostile(world)];
    const answers: Answer[] = [];
    for (const one of cases.filter((_, index) => index % (options.every ?? 1) === 0)) {
      const answer = await ask(chain, one);
      options.onAnswer?.(answer);
      answers.push(answer);
      if (answers.length % 50 === 0) options.onProgress?.(`message: ${answers.length} answers`);
    }
    return summarize(options, answers);
  } finally {
    await chain.close();
    await devnet.close();
  }
}

async function ask(chain: Chain, one: MessageCase): Promise<Answer> {
  const input = getCapability("message.intent.guard").input.parse(one.input);
  const context = createGatherContext(chain, await chain.latestBlock());
  const { readings } = await gatherer.gather(context, input);
  const { verdict, reasonCodes, summary } = rule.evaluate(
    input,
    rule.readings.parse(JSON.parse(JSON.stringify(readings))),
  );
  return { ...one, verdict, reasonCodes, summary };
}

function summarize({ seed, packaged }: MessageOptions, answers: readonly Answer[]): MessageSummary {
  const verdicts = new Tally();
  for (const { group, verdict } of answers) verdicts.add(`${group} ${verdict}`);
  const wrong = answers.filter(({ group, verdict }) =>
    group === "honest" ? verdict === "block" : verdict === "allow",
  );
  return {
    campaign: "message",
    seed,
    packaged,
    verdicts,
    kinds: new Set(answers.map(({ kind }) => kind)).size,
    violations: wrong.map(({ name, verdict, reasonCodes }) => `${name}: ${verdict} ${reasonCodes.join(" ")}`),
  };
}
