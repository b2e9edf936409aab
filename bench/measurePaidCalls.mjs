import { createPayer } from "./createPayer.mjs";
import { median, percentile, tally } from "./statistics.mjs";
import { sellsHits, subjectNames } from "./subjects.mjs";
import { withStage } from "./withStage.mjs";

/**
 * One payer with the official client, call after call. Every address is new to the subject, so each call is a miss. Assay is
 * also asked repeatedly about one address, a hit while its answer is valid. Each answer states whether it was a hit, and only
 * those count as hits.
 */
export function measurePaidCalls({ runs, isQuick, progress }) {
  const warmUps = isQuick ? 10 : 60;
  const callsAt = isQuick ? { 0: 15, 25: 6 } : { 0: 60, 25: 30 };
  const perRun = Object.values(callsAt).reduce((sum, calls) => sum + calls + 1, 0);
  const proxies = 2 + subjectNames.length * (warmUps + runs * perRun) + 2 * runs * subjectNames.length;

  return withStage({ names: subjectNames, proxies }, async ({ chain, subjects, takeProxy }) => {
    const payer = createPayer(0);
    for (const subject of subjects) {
      progress(`${subject.name}, warming up`);
      for (let call = 0; call < warmUps; call += 1) await payer.pay(subject.getUrl(takeProxy()));
    }
    const results = {};
    for (const [delayMs, calls] of Object.entries(callsAt)) {
      const rows = {};
      const measure = async (key, subject, getAddress) => {
        rows[key] ??= [];
        // The first call at a new delay is not measured; it also creates the answer that later calls hit.
        await payer.pay(subject.getUrl(getAddress()));
        const before = await chain.count(subject.name);
        const outcomes = [];
        for (let call = 0; call < calls; call += 1)
          outcomes.push(await payer.pay(subject.getUrl(getAddress())));
        const after = await chain.count(subject.name);
        rows[key].push({ outcomes, requestsPerCall: (after.requests - before.requests) / calls });
      };
      await chain.setDelay(Number(delayMs));
      for (let run = 1; run <= runs; run += 1) {
        for (const subject of subjects) {
          progress(`${subject.name}, ${delayMs} ms per chain request, run ${run} of ${runs}`);
          await measure(subject.name, subject, takeProxy);
          if (!sellsHits(subject.name)) continue;
          const address = takeProxy();
          await measure(`${subject.name}Hit`, subject, () => address);
        }
      }
      await chain.setDelay(0);
      results[`delay${delayMs}`] = Object.fromEntries(
        Object.entries(rows).map(([key, list]) => [key, summarize(key, list)]),
      );
    }
    return results;
  });
}

const wantedStatus = (key) => (key.endsWith("Hit") ? "hit" : sellsHits(key) ? "miss" : undefined);

function summarize(key, rows) {
  const all = rows.flatMap(({ outcomes }) => outcomes);
  const counts = (outcome) => outcome.isPaid && outcome.cacheStatus === wantedStatus(key);
  const runs = rows.map(({ outcomes }) => outcomes.filter(counts));
  const medianOf = (field) =>
    median(
      runs.map((run) =>
        percentile(
          run.map((outcome) => outcome[field]),
          50,
        ),
      ),
    );
  return {
    p50Ms: medianOf("ms"),
    p99Ms: percentile(
      runs.flat().map(({ ms }) => ms),
      99,
    ),
    paidLegP50Ms: medianOf("paidMs"),
    challengeLegP50Ms: medianOf("challengeMs"),
    chainRequestsPerCall: median(rows.map(({ requestsPerCall }) => requestsPerCall)),
    calls: all.length,
    counted: runs.flat().length,
    failed: all.filter(({ isPaid }) => !isPaid).length,
    cacheStatuses: tally(all.map(({ cacheStatus }) => cacheStatus ?? "none")),
    failures: tally(all.filter(({ isPaid }) => !isPaid).map(({ reason }) => reason)),
  };
}
