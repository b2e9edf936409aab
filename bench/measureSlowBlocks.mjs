import { setTimeout as sleep } from "node:timers/promises";
import { createPayer } from "./createPayer.mjs";
import { percentile, tally } from "./statistics.mjs";
import { subjectNames } from "./subjects.mjs";
import { withStage } from "./withStage.mjs";

const blockMs = 2_000;
const delayMs = 25;

/**
 * Paid calls when a transaction waits for the next block, as on Base. The subjects are called at the same time, because they
 * mostly wait. The calls are spread evenly over the time between two blocks.
 */
export function measureSlowBlocks({ isQuick, progress }) {
  const calls = isQuick ? 4 : 12;
  const warmUps = isQuick ? 5 : 20;
  const proxies = 2 + subjectNames.length * (calls + warmUps);
  return withStage({ names: subjectNames, proxies }, async ({ chain, subjects, takeProxy }) => {
    progress("warming up");
    const payers = new Map(subjects.map(({ name }, index) => [name, createPayer(index)]));
    for (const subject of subjects)
      for (let call = 0; call < warmUps; call += 1)
        await payers.get(subject.name).pay(subject.getUrl(takeProxy()));
    await chain.setDelay(delayMs);
    await chain.setMiningOnArrival(false);
    const outcomes = Object.fromEntries(subjects.map(({ name }) => [name, []]));
    for (let call = 0; call < calls; call += 1) {
      progress(`all subjects, call ${call + 1} of ${calls}`);
      await chain.waitForBlock();
      await sleep((call / calls) * blockMs);
      await Promise.all(
        subjects.map(async (subject) => {
          outcomes[subject.name].push(await payers.get(subject.name).pay(subject.getUrl(takeProxy())));
        }),
      );
    }
    return Object.fromEntries(
      Object.entries(outcomes).map(([name, list]) => {
        const paid = list.filter(({ isPaid }) => isPaid).map(({ ms }) => ms);
        return [
          name,
          {
            p50Ms: percentile(paid, 50),
            maxMs: Math.max(...paid),
            calls: list.length,
            failures: tally(list.filter(({ isPaid }) => !isPaid).map(({ reason }) => reason)),
          },
        ];
      }),
    );
  });
}
