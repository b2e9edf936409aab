import { getCapability } from "@assay/capabilities";
import { gatherer } from "@assay/capabilities/message.intent.guard/gather/gather";
import { rule } from "@assay/capabilities/message.intent.guard/rule";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import type { Chain } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { type AccuracyPackages, useAccuracyWorld } from "./accuracy/useAccuracyWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { type Drain, listDrains } from "./message/drains.js";
import { listHonest } from "./message/honestMessages.js";
import { listHostileDocuments } from "./message/hostileDocuments.js";
import { listHostileOperations } from "./message/hostileOperations.js";
import { drainItem } from "./message/itemDrain.js";
import { listKitMessages } from "./message/kitMessages.js";
import type { MessageCase } from "./message/messageCase.js";
import { type MessageWorld, prepareMessages } from "./message/messageWorld.js";
import { listPositionMessages, preparePositions } from "./message/positionRows.js";

export interface MessageOptions extends CampaignOptions, AccuracyPackages {
  /** Asks only about every n-th message; 1 by default. */
  readonly every?: number;
  /** The folder of `bench/message`, with the kits of protocols; left out where they are not installed. */
  readonly kits?: string;
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
  /** Messages that were blocked, signed nevertheless, and used by a thief who had more afterwards. */
  readonly drained: number;
}

/** Honest and hostile messages of published protocols: what the guard says of each. */
export function runMessage(options: MessageOptions): Promise<MessageSummary> {
  return useAccuracyWorld(options, async (chain, accuracy, setup) => {
    const prepared = await prepareMessages(accuracy, setup, options.kits);
    const positions = await preparePositions(prepared);
    await accuracy.devnet.mine();
    const count = await accuracy.devnet.request<Hex>("eth_getTransactionCount", [prepared.alice, "latest"]);
    // Alice opened positions meanwhile.
    const world = { ...prepared, aliceNonce: Number(count) };
    const cases = [
      ...listHonest(world),
      ...listHostileDocuments(world),
      ...listHostileOperations(world),
      ...(options.kits === undefined ? [] : listKitMessages(options.kits, world)),
      ...listPositionMessages(positions),
    ];
    const answers: Answer[] = [];
    for (const one of cases.filter((_, index) => index % (options.every ?? 1) === 0)) {
      const answer = await ask(chain, one);
      options.onAnswer?.(answer);
      answers.push(answer);
      if (answers.length % 50 === 0) options.onProgress?.(`message: ${answers.length} answers`);
    }
    const drains = listDrains(world);
    if (options.kits !== undefined) drains.push(drainItem(options.kits, world));
    const drained = await drainAll(chain, world, drains);
    const { violations, ...summary } = summarize(options, answers);
    return {
      ...summary,
      drained: drained.filter(({ fault }) => fault === null).length,
      violations: [...violations, ...drained.flatMap(({ fault }) => fault ?? [])],
    };
  });
}

const ask = async (chain: Chain, one: MessageCase): Promise<Answer> => ({
  ...one,
  ...(await askMessage(chain, one.input)),
});

/** Gathers and judges, with the readings as they would be recorded. */
export async function askMessage(chain: Chain, given: MessageCase["input"]) {
  const input = getCapability("message.intent.guard").input.parse(given);
  const context = createGatherContext(chain, await chain.latestBlock());
  const { readings } = await gatherer.gather(context, input);
  const { verdict, reasonCodes, summary } = rule.evaluate(
    input,
    rule.readings.parse(JSON.parse(JSON.stringify(readings))),
  );
  return { verdict, reasonCodes, summary };
}

/** Asks about each message, then signs it and uses it: what is blocked must really have been a loss. */
async function drainAll(
  chain: Chain,
  world: MessageWorld,
  drains: readonly Drain[],
): Promise<{ fault: string | null }[]> {
  const outcomes: { fault: string | null }[] = [];
  for (const drain of drains) {
    const { token, thief } = drain.loot;
    const holds = async () =>
      BigInt(await world.world.view(token, "balanceOf(address h) view returns (uint256)", [thief]));
    const { verdict, reasonCodes } = await ask(chain, drain);
    const before = await holds();
    const snapshot = await world.world.devnet.snapshot();
    await drain.use();
    const isLost = (await holds()) > before;
    await world.world.devnet.revert(snapshot);
    const isRight = verdict === "block" && isLost;
    outcomes.push({
      fault: isRight
        ? null
        : `${drain.name}: ${verdict} ${reasonCodes.join(" ")}, ${isLost ? "lost" : "kept"}`,
    });
  }
  return outcomes;
}

function summarize(
  { seed, packaged }: MessageOptions,
  answers: readonly Answer[],
): Omit<MessageSummary, "drained"> {
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
