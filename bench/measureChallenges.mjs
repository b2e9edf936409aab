import autocannon from "autocannon";
import { getProxyAddress } from "./benchAccounts.mjs";
import { readCpuMs } from "./processUsage.mjs";
import { medianOfRuns } from "./statistics.mjs";
import { firstSubject } from "./subjects.mjs";
import { withStage } from "./withStage.mjs";

const connections = 32;
const manyAddresses = 1_000;

/** Unpaid requests: all about one address, and each about a different address. */
export function measureChallenges({ runs, isQuick, progress, nodeArgs }) {
  const seconds = isQuick ? 3 : 10;
  return withStage({ names: [firstSubject, "assay"], nodeArgs }, async ({ subjects }) => {
    const loads = { oneAddress: 1, manyAddresses };
    const rows = {};
    for (const subject of subjects) {
      progress(`${subject.name}, warming up`);
      for (const addresses of Object.values(loads)) await shoot(subject, addresses, isQuick ? 1 : 3);
    }
    for (let run = 1; run <= runs; run += 1) {
      for (const [load, addresses] of Object.entries(loads)) {
        for (const subject of subjects) {
          progress(`${subject.name}, ${load}, run ${run} of ${runs}`);
          rows[subject.name] ??= { oneAddress: [], manyAddresses: [] };
          rows[subject.name][load].push(await shoot(subject, addresses, seconds));
        }
      }
    }
    const summarize = (byLoad) =>
      Object.fromEntries(
        Object.entries(byLoad).map(([load, list]) => [
          load,
          { ...medianOfRuns(list), not402: list.reduce((sum, run) => sum + run.not402, 0), runs: list },
        ]),
      );
    return Object.fromEntries(Object.entries(rows).map(([name, byLoad]) => [name, summarize(byLoad)]));
  });
}

async function shoot(subject, addresses, duration) {
  const requests = Array.from({ length: addresses }, (_, index) => ({
    method: "GET",
    path: subject.getPath(getProxyAddress(index)),
  }));
  const cpuBefore = readCpuMs(subject.pid);
  const driverBefore = readCpuMs(process.pid);
  const result = await autocannon({ url: subject.origin, connections, duration, requests });
  const { total } = result.requests;
  return {
    perSecond: total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMicrosecondsEach: ((readCpuMs(subject.pid) - cpuBefore) * 1000) / total,
    // Share of one core: near 1, the load generator is the limit and not the subject.
    driverBusy: (readCpuMs(process.pid) - driverBefore) / (result.duration * 1000),
    cpuBusy: (readCpuMs(subject.pid) - cpuBefore) / (result.duration * 1000),
    not402: total - (result.statusCodeStats["402"]?.count ?? 0) + result.errors,
  };
}
